import type Database from 'better-sqlite3';

/** What a statement throws that was interrupted. */
export class Interrupted extends Error {
  constructor() {
    super('the statement was interrupted');
    this.name = 'Interrupted';
  }
}

/** The function that ends a statement which was interrupted; `dialect.endsInTime` calls it. */
export const goesOn = 'goes_on';

/**
 * What two threads share of the statement that runs: better-sqlite3 lets no thread interrupt another, and a worker
 * cannot be terminated while SQLite computes, so the statement itself asks now and then, by a function. Ids are those of
 * commands, as 32-bit integers.
 */
export class Interruption {
  /** To be given to the other thread. */
  readonly shared: SharedArrayBuffer;
  readonly #interrupted: Int32Array;
  #running = 0;

  constructor(shared = new SharedArrayBuffer(4)) {
    this.shared = shared;
    this.#interrupted = new Int32Array(shared);
  }

  /** On the main thread: ends the command when it runs, or as soon as it does. */
  interrupt(id: number): void {
    Atomics.store(this.#interrupted, 0, id);
  }

  /** On the database thread, before each command. */
  begin(id: number): void {
    this.#running = id | 0;
  }

  /** Gives a connection of the database thread the function. */
  addTo(database: Database.Database): void {
    database.function(goesOn, () => {
      if (Atomics.load(this.#interrupted, 0) === this.#running) throw new Interrupted();
      return 1n;
    });
  }
}
