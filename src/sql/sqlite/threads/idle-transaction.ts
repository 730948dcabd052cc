import type { Connection } from './connection.ts';

/**
 * Maximum time that a transaction may be idle while other processes wait, in ms. The time is far
 * below the 4.5 s after which waiting writers get a busy error.
 */
const idleMs = 1_000;
const checkIntervalMs = 250;

/**
 * Rolls back a transaction that is idle while another process waits for the write lock. The thread
 * that began such a transaction is busy computing. Without the rollback, all other writes would
 * have to wait. This class runs on the database thread, whose event loop is free meanwhile.
 */
export class IdleTransaction {
  #timer: NodeJS.Timeout | undefined;

  /** Starts watching a transaction. Call this method after each command of the transaction. */
  watch(connection: Connection, onUndone: () => void): void {
    this.#timer = setTimeout(() => {
      connection.isWaitedFor(); // ignores earlier waits
      this.#timer = setInterval(() => {
        if (!connection.isWaitedFor()) return;
        this.stop();
        try {
          connection.rollback();
        } finally {
          onUndone();
        }
      }, checkIntervalMs);
    }, idleMs - checkIntervalMs);
  }

  /** Stops watching. Call this method before the next command. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
