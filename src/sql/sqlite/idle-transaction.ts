import type { Connection } from './connection.ts';

/** Well below the 4.5 s after which other writers get a busy error. */
const idleMs = 1_000;
const lookMs = 250;

/**
 * Rolls back a transaction that is idle while another process waits for the lock. The thread that
 * began it is busy computing, and every other write would have to wait. Runs on a database thread,
 * whose event loop is free meanwhile.
 */
export class IdleTransaction {
  #timer: NodeJS.Timeout | undefined;

  /** Starts watching. Call it after each command of the transaction. */
  watch(connection: Connection, onUndone: () => void): void {
    this.#timer = setTimeout(() => {
      connection.isWaitedFor(); // earlier waits do not count
      this.#timer = setInterval(() => {
        if (!connection.isWaitedFor()) return;
        this.stop();
        try {
          connection.rollback();
        } finally {
          onUndone();
        }
      }, lookMs);
    }, idleMs - lookMs);
  }

  /** Stops watching. Call it before the next command. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
