import { withoutLease } from '../../core/shared/processes/job-lease.ts';
import type { Database, Engine } from './engine.ts';

type Write = (trx: Database) => Promise<void>;

/**
 * Maximum number of queued writes. A longer queue means that the database has been locked for a
 * long time; the oldest write is then dropped.
 */
const maxQueued = 10_000;
const retryMs = 1_000;
/**
 * Timeout of `flush`, in ms. The timeout is short, so that the caller still has time to respond if
 * the database does not.
 */
const flushTimeoutMs = 400;

/**
 * Writes that requests defer: the use of a token, a download event, a failed login. Deferred writes
 * are queued and soon executed in one transaction. While the database is busy, they are retried. A
 * deferred write never delays its request or makes the request fail.
 */
export class DeferredWrites {
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
    if (this.#waiting.length > maxQueued) {
      this.#waiting.shift();
      this.#onLost(1, new Error('too many notes are waiting for the database'));
    }
    this.#writing ??= withoutLease(() => this.#writeAll()).finally(() => {
      this.#writing = null;
    });
  }

  /**
   * Waits briefly until the writes deferred so far are stored, so that the caller can read the
   * stored rows. Gives up after `flushTimeoutMs`.
   */
  async flush(): Promise<void> {
    if (this.#writing === null) return;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, flushTimeoutMs);
    });
    await Promise.race([this.#writing, timeout]);
    clearTimeout(timer);
  }

  /**
   * Tries once to store the queued writes. If this attempt fails, the writes are lost, and the loss
   * is reported.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Waits until the next turn of the event loop, so that writes deferred in this turn are written
    // together.
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
