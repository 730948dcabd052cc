import Database from 'better-sqlite3';

/**
 * Tells the main thread whether any process committed, by reading `data_version` on its own
 * connection. That takes a microsecond, or ten after a commit, to read one freshly written page.
 *
 * It never waits: in WAL mode neither the write lock nor a checkpoint blocks readers. Where a
 * reader is blocked (a log that must be recovered), it reports null.
 */
export class CommitWatch {
  readonly #file: string;
  #database: Database.Database | undefined;
  #statement: Database.Statement<[], number> | undefined;
  #version: number | undefined;
  #count = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Returns a different number after a commit, or null when that cannot be determined. */
  read(): number | null {
    try {
      this.#statement ??= this.#prepare();
      const version = this.#statement.get();
      if (version !== this.#version) {
        this.#version = version;
        this.#count += 1;
      }
      return this.#count;
    } catch {
      this.close();
      return null;
    }
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
    this.#statement = undefined;
    this.#version = undefined; // another connection has its own count
  }

  #prepare(): Database.Statement<[], number> {
    const options = { readonly: true, fileMustExist: true, timeout: 0 };
    this.#database = new Database(this.#file, options);
    this.#database.pragma('cache_size = -64');
    this.#database.pragma('mmap_size = 0');
    return this.#database.prepare<[], number>('pragma data_version').pluck();
  }
}
