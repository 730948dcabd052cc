import type { Clock } from '../clock.ts';
import type { FileArea } from './file-area.ts';

/**
 * Time in milliseconds for which a folder must be unchanged before its version is stable. The time
 * exceeds the coarsest timestamp resolution of any file system (2 s, FAT).
 */
const stableMs = 3_000;

/** Detects changes of a folder, so that callers list the folder only once for each version. */
export class FolderVersion {
  readonly #area: Pick<FileArea, 'version'>;
  readonly #clock: Clock;
  #version: string | null = null;
  #since = Number.POSITIVE_INFINITY;

  constructor(parts: { area: Pick<FileArea, 'version'>; clock: Clock }) {
    this.#area = parts.area;
    this.#clock = parts.clock;
  }

  /**
   * The version that the last call of `check` returned. Null before the first call, and if the
   * folder does not exist.
   */
  get lastVersion(): string | null {
    return this.#version;
  }

  /**
   * Returns the folder's current version. `isStable` is true if the folder has been unchanged for
   * long enough that any later change will produce another version.
   */
  async check(): Promise<{ readonly version: string | null; readonly isStable: boolean }> {
    const version = await this.#area.version();
    const now = this.#clock.monotonic();
    if (version !== this.#version || this.#since > now) {
      this.#version = version;
      this.#since = now;
    }
    return { version, isStable: now - this.#since >= stableMs };
  }
}
