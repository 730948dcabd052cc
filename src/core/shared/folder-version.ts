import type { Clock } from './clock.ts';
import type { FileArea } from './file-area.ts';

/** How long a folder must be as it is before it is listed for good: longer than the clock steps of file systems (2 s, FAT). */
const settledMs = 3_000;

/** Whether a folder changed, so that it is listed once per version. */
export class FolderVersion {
  readonly #area: Pick<FileArea, 'version'>;
  readonly #clock: Clock;
  #version: string | null = null;
  #since = Number.POSITIVE_INFINITY;

  constructor(parts: { area: Pick<FileArea, 'version'>; clock: Clock }) {
    this.#area = parts.area;
    this.#clock = parts.clock;
  }

  /** As of the last look; null before, and while there is no folder. */
  get known(): string | null {
    return this.#version;
  }

  /** `isSettled`: the folder has been as it is for so long that no later change can have the same version. */
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
