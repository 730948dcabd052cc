import Database from 'better-sqlite3';

/**
 * Tells on the main thread whether anybody committed: `data_version` of a connection of its own, which takes a microsecond,
 * or ten after a commit, to read one page that was just written. It waits for nobody: what holds the write lock or the
 * checkpoint keeps no reader out in WAL mode, and where one is kept out (a log that has to be recovered) it tells nothing.
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

  /** Another number than before when there was a commit; null when it cannot be told. */
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
    this.#version = undefined; // another connection counts anew
  }

  #prepare(): Database.Statement<[], number> {
    const options = { readonly: true, fileMustExist: true, timeout: 0 };
    this.#database = new Database(this.#file, options);
    this.#database.pragma('cache_size = -64');
    this.#database.pragma('mmap_size = 0');
    return this.#database.prepare<[], number>('pragma data_version').pluck();
  }
}
