import type Database from 'better-sqlite3';

/** The error that a statement throws when it is interrupted. */
export class Interrupted extends Error {
  constructor() {
    super('the statement was interrupted');
    this.name = 'Interrupted';
  }
}

/**
 * Name of the SQL function that ends the statement if it was interrupted. The condition
 * `dialect.endsInTime` calls it.
 */
export const goesOn = 'goes_on';

/**
 * Interrupts a statement that runs on another thread, by memory that both threads share. In
 * better-sqlite3 no thread can interrupt another one, and a worker cannot be terminated while
 * SQLite computes. Therefore the statement itself regularly checks the memory, by calling an SQL
 * function. The memory contains the id of the command to interrupt, as a 32-bit integer.
 */
export class Interruption {
  /** The memory to share with the other thread. */
  readonly shared: SharedArrayBuffer;
  readonly #interrupted: Int32Array;
  #running = 0;

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared;
    this.#interrupted = new Int32Array(shared);
  }

  /** Ends the command with this id, now or once it begins. Call it on the main thread. */
  interrupt(id: number): void {
    Atomics.store(this.#interrupted, 0, id);
  }

  /**
   * Records the id of the command that begins. Call it on the database thread, before each command.
   */
  begin(id: number): void {
    this.#running = id | 0;
  }

  /** Registers the SQL function on a connection. Call it on the database thread. */
  addTo(database: Database.Database): void {
    database.function(goesOn, () => {
      if (Atomics.load(this.#interrupted, 0) === this.#running) throw new Interrupted();
      return 1n;
    });
  }
}
