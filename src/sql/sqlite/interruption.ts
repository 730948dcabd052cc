import type Database from 'better-sqlite3';

/** The error that an interrupted statement throws. */
export class Interrupted extends Error {
  constructor() {
    super('the statement was interrupted');
    this.name = 'Interrupted';
  }
}

/** Name of the SQL function that ends an interrupted statement; `dialect.endsInTime` calls it. */
export const goesOn = 'goes_on';

/**
 * State shared by two threads about the running statement. In better-sqlite3 no thread can
 * interrupt another, and a worker cannot be terminated while SQLite computes. So the statement
 * itself checks from time to time, by calling a function. Ids are those of commands, as 32-bit
 * integers.
 */
export class Interruption {
  /** The memory to pass to the other thread. */
  readonly shared: SharedArrayBuffer;
  readonly #interrupted: Int32Array;
  #running = 0;

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared;
    this.#interrupted = new Int32Array(shared);
  }

  /** Ends the command if it runs, or as soon as it does. For the main thread. */
  interrupt(id: number): void {
    Atomics.store(this.#interrupted, 0, id);
  }

  /** Notes which command runs. For the database thread, before each command. */
  begin(id: number): void {
    this.#running = id | 0;
  }

  /** Registers the function on a connection of the database thread. */
  addTo(database: Database.Database): void {
    database.function(goesOn, () => {
      if (Atomics.load(this.#interrupted, 0) === this.#running) throw new Interrupted();
      return 1n;
    });
  }
}
