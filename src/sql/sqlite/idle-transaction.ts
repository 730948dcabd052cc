import type { Connection } from './connection.ts';

/** Others are told that the database is busy after 4.5 s. */
const idleMs = 1_000;
const lookMs = 250;

/**
 * Rolls back a transaction that stands still while another process waits for the lock: the thread that began it is busy
 * computing, and every other write would wait for it. Runs on a database thread, whose own loop is free meanwhile.
 */
export class IdleTransaction {
  #timer: NodeJS.Timeout | undefined;

  /** After each command of the transaction. */
  watch(connection: Connection, onUndone: () => void): void {
    this.#timer = setTimeout(() => {
      connection.isWaitedFor(); // who waited before does not count
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

  /** Before the next command. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
