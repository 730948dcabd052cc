import { Connection } from './connection.ts';
import type { QueryTarget } from './database.ts';
import { Interruption } from './interruption.ts';
import type { QueryReply } from './protocol.ts';
import { ReadPace } from './read-pace.ts';

/** How long reads may follow each other before the event loop has a turn, in milliseconds. */
const turnMs = 10;

/**
 * Reads on the server's own thread, for what an index answers: the way to another thread and back takes several times as
 * long. On a slow disk (`ReadPace`), and when a read fails, `threads` are asked instead.
 */
export class DirectReads implements QueryTarget {
  readonly noTransaction: string;
  readonly stream: QueryTarget['stream'];
  readonly #file: string;
  readonly #threads: QueryTarget;
  readonly #pace = new ReadPace();
  #connection: Connection | undefined;
  #isClosed = false;
  /** How many wait for a turn. */
  #waiting = 0;
  /** When this turn of the event loop had its first read; undefined before. */
  #turnBegan: number | undefined;

  constructor(file: string, threads: QueryTarget) {
    this.#file = file;
    this.#threads = threads;
    this.noTransaction = threads.noTransaction;
    this.stream = (sql, params) => threads.stream(sql, params);
  }

  async query(sql: string, params: readonly unknown[]): Promise<QueryReply> {
    if (this.#isClosed) throw new Error('the database is closed');
    this.#waiting += 1;
    while (this.#isTurnOver()) await nextTurn();
    this.#waiting -= 1;
    const direct = this.#pace.isDirect ? this.#tryRead(sql, params) : null;
    if (direct !== null) return direct;
    const reply = await this.#threads.query(sql, params);
    this.#pace.noteThreaded(reply.ms ?? 0);
    return reply;
  }

  /** Waits for the turns of what was asked; other threads may still be at it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#waiting > 0) await nextTurn();
    this.#drop();
  }

  #isTurnOver(): boolean {
    if (this.#turnBegan === undefined) {
      this.#turnBegan = performance.now();
      setImmediate(() => {
        this.#turnBegan = undefined;
      });
      return false;
    }
    return performance.now() - this.#turnBegan > turnMs;
  }

  /** Null when it fails: the other threads try again, know what the failure is, and wait where somebody has a lock. */
  #tryRead(sql: string, params: readonly unknown[]): QueryReply | null {
    const begun = performance.now();
    try {
      this.#connection ??= openConnection(this.#file);
      const reply = this.#connection.query(sql, params);
      this.#pace.noteDirect(performance.now() - begun);
      if (!this.#pace.isDirect) this.#drop();
      return reply;
    } catch {
      this.#pace.leave();
      this.#drop();
      return null;
    }
  }

  #drop(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.close();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function openConnection(file: string): Connection {
  const interruption = new Interruption();
  interruption.begin(1); // nobody interrupts it
  return new Connection(file, 'direct', interruption);
}
