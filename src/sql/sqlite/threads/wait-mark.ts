import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';

/**
 * A marker file next to the database. Its modification time shows that a process is waiting for the
 * write lock, which SQLite does not expose. If the file cannot be written, other processes do not
 * notice the wait.
 */
export class WaitMark {
  readonly #file: string;
  #seen: bigint | undefined;

  constructor(database: string) {
    this.#file = `${database}-waits`;
  }

  /** Signals that this process is waiting. */
  set(): void {
    try {
      writeFileSync(this.#file, '', { flag: 'a' });
      const now = (performance.timeOrigin + performance.now()) / 1000;
      utimesSync(this.#file, now, now);
    } catch {
      // The disk is full or failing. Long work pauses at intervals for other processes in any case.
    }
  }

  /** Returns true if any process has signalled since the last call. */
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
      // The file remains, which has no effect.
    }
  }
}
