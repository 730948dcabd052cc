import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';

/**
 * A marker file next to the database; its mtime shows that a process is waiting for the write lock,
 * which SQLite does not expose. If the file cannot be written, the wait goes unnoticed.
 */
export class WaitMark {
  readonly #file: string;
  #seen: bigint | undefined;

  constructor(database: string) {
    this.#file = `${database}-waits`;
  }

  /** Signals the wait to every process that checks. */
  set(): void {
    try {
      writeFileSync(this.#file, '', { flag: 'a' });
      const now = (performance.timeOrigin + performance.now()) / 1000;
      utimesSync(this.#file, now, now);
    } catch {
      // a full or failing disk: long work pauses for others from time to time in any case
    }
  }

  /** Whether any process waited since the last call. */
  wasSet(): boolean {
    const set = statSync(this.#file, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
    const isNew = set !== undefined && set !== this.#seen;
    this.#seen = set;
    return isNew;
  }

  remove(): void {
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // the file stays and has no effect
    }
  }
}
