import type Database from 'better-sqlite3';

/** The error that a statement throws when it is interrupted. */
export class Interrupted extends Error {
  constructor() {
    super('the statement was interrupted');
    this.name = 'Interrupted';
  }
}

/**
 * Name of the SQL function that ends an interrupted statement. The condition
 * `dialect.interruptionPoint` calls this function.
 */
export const interruptionFunction = 'goes_on';

/**
 * Interrupts a statement that runs on another thread, by shared memory. In better-sqlite3, no
 * thread can interrupt a statement of another thread. A worker cannot be terminated while SQLite
 * computes. Therefore the statement itself regularly checks the memory, by calling an SQL function.
 * The memory contains the id of the command to interrupt, as a 32-bit integer.
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

  /** Ends the command with this id, now or once it begins. Call this method on the main thread. */
  interrupt(id: number): void {
    Atomics.store(this.#interrupted, 0, id);
  }

  /**
   * Records the id of the command that begins. Call this method on the database thread, before each
   * command.
   */
  begin(id: number): void {
    this.#running = id | 0;
  }

  /** Registers the SQL function on a connection. Call this method on the database thread. */
  addTo(database: Database.Database): void {
    database.function(interruptionFunction, () => {
      if (Atomics.load(this.#interrupted, 0) === this.#running) throw new Interrupted();
      return 1n;
    });
  }
}
