import type { Clock } from './clock.ts';
import type { FileArea } from './file-area.ts';

/**
 * How long a folder must be unchanged before its listing is final, in milliseconds: longer than the
 * time steps of file systems (2 s, FAT).
 */
const settledMs = 3_000;

/** Tells whether a folder changed, so that it is listed once per version. */
export class FolderVersion {
  readonly #area: Pick<FileArea, 'version'>;
  readonly #clock: Clock;
  #version: string | null = null;
  #since = Number.POSITIVE_INFINITY;

  constructor(parts: { area: Pick<FileArea, 'version'>; clock: Clock }) {
    this.#area = parts.area;
    this.#clock = parts.clock;
  }

  /** The version at the last look; null before the first look, and while there is no folder. */
  get known(): string | null {
    return this.#version;
  }

  /**
   * Reads the version. `isSettled` means that the folder has been unchanged for so long that no
   * later change can have the same version.
   */
  async look(): Promise<{ readonly version: string | null; readonly isSettled: boolean }> {
    const version = await this.#area.version();
    const now = this.#clock.monotonic();
    if (version !== this.#version || this.#since > now) {
      this.#version = version;
      this.#since = now;
    }
    return { version, isSettled: now - this.#since >= settledMs };
  }
}
