import { withoutLease } from '../core/shared/job-lease.ts';
import type { Database, Engine } from './engine.ts';

type Write = (trx: Database) => Promise<void>;

/** More than this waiting means that the database has been locked for long; the oldest are given up. */
const mostWaiting = 10_000;
const retryMs = 1_000;
/** Little, so that whoever reads afterwards has its time, too, where the database does not answer. */
const settleMs = 400;

/**
 * Writes that a request only notes (the use of a token, a download event, a failed login): queued, written together soon after, tried
 * again while the database is busy. They never delay or fail the request.
 */
export class NotedWrites {
  readonly #engine: Engine;
  readonly #onLost: (count: number, error: unknown) => void;
  #waiting: Write[] = [];
  #writing: Promise<void> | null = null;
  #closed = false;

  constructor(engine: Engine, onLost: (count: number, error: unknown) => void) {
    this.#engine = engine;
    this.#onLost = onLost;
  }

  add(write: Write): void {
    this.#waiting.push(write);
    if (this.#waiting.length > mostWaiting) {
      this.#waiting.shift();
      this.#onLost(1, new Error('too many notes are waiting for the database'));
    }
    this.#writing ??= withoutLease(() => this.#writeAll()).finally(() => {
      this.#writing = null;
    });
  }

  /** Waits until what was noted so far is written, for a moment, so that a reader sees it. */
  async settle(): Promise<void> {
    if (this.#writing === null) return;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, settleMs);
    });
    await Promise.race([this.#writing, timeout]);
    clearTimeout(timer);
  }

  /** Writes what is left, once; what a busy database does not take then is lost and reported. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // One turn of the event loop, so that notes made together are written together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#engine.write(async (trx) => {
          for (const write of batch) await write(trx);
        });
      } catch (error) {
        if (this.#closed) {
          this.#onLost(batch.length, error);
          return;
        }
        this.#waiting.unshift(...batch);
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
  }
}
