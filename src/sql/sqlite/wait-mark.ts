import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';

/**
 * A file beside a database whose time tells that somebody waits for the write lock, which SQLite tells nobody. Where it
 * cannot be written nobody is told.
 */
export class WaitMark {
  readonly #file: string;
  #seen: bigint | undefined;

  constructor(database: string) {
    this.#file = `${database}-waits`;
  }

  /** Tells whoever looks, in whatever process. */
  set(): void {
    try {
      writeFileSync(this.#file, '', { flag: 'a' });
      const now = (performance.timeOrigin + performance.now()) / 1000;
      utimesSync(this.#file, now, now);
    } catch {
      // a full or failing disk: whoever works at length gives way now and then in any case
    }
  }

  /** Whether somebody waited since the last look. */
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
      // it stays, and counts for nothing
    }
  }
}
