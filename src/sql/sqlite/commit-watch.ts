import Database from 'better-sqlite3';

/**
 * Detects commits of any process by reading `data_version` on a separate connection. The connection
 * is used on the main thread, because a read takes hardly any time.
 *
 * A read never waits, because in WAL mode neither the write lock nor a checkpoint blocks readers.
 * If a read would be blocked, because the log must be recovered, the result is null.
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

  /**
   * Returns a number that changes after each commit. Returns null if the number cannot be
   * determined.
   */
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
    this.#version = undefined; // a new connection reports other numbers
  }

  #prepare(): Database.Statement<[], number> {
    const options = { readonly: true, fileMustExist: true, timeout: 0 };
    this.#database = new Database(this.#file, options);
    this.#database.pragma('cache_size = -64');
    this.#database.pragma('mmap_size = 0');
    return this.#database.prepare<[], number>('pragma data_version').pluck();
  }
}
