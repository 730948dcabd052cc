import type { FoundFile } from '../library-file.ts';

/**
 * Time in milliseconds for which a file must remain unchanged before an automatic scan opens it.
 * Until then, a program may still be writing to it.
 */
export const minUnchangedMs = 60_000;

/**
 * Returns a function that returns true if probably no program is writing to a file. The file's
 * modification time is then at least `minUnchangedMs` before `now`, or in the future because
 * another machine set it.
 */
export function completeFileTest(now: number): (file: FoundFile) => boolean {
  return ({ mtimeNs }) => {
    const age = now - Number(mtimeNs / 1_000_000n);
    return age < 0 || age >= minUnchangedMs;
  };
}

/** The files that were still changing in a walk, with their sizes and times. */
export class GrowingFiles {
  #before = new Map<string, string>();
  #now = new Map<string, string>();

  get count(): number {
    return this.#now.size;
  }

  /** Begins the next walk, which must not be earlier than `minUnchangedMs` after the last one. */
  beginWalk(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  /**
   * Returns true if a file was last changed long enough ago, or is unchanged since the last walk.
   * Otherwise records the file for the next walk.
   */
  isComplete(file: FoundFile, now: number): boolean {
    const age = now - Number(file.mtimeNs / 1_000_000n);
    const version = `${file.size}-${file.mtimeNs}`;
    if (age >= minUnchangedMs || this.#before.get(file.path) === version) return true;
    this.#now.set(file.path, version);
    return false;
  }
}
