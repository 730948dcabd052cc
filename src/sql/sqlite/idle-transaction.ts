import type { Connection } from './connection.ts';

/** Others are told that the database is busy after 4.5 s. */
const idleMs = 1_000;
const lookMs = 250;

/**
 * Undoes a transaction that nobody goes on with while another process waits for the lock: the thread that asked for it
 * computes, for who knows how long, and everybody else who writes would wait for it. On a database thread, whose own
 * loop is free meanwhile.
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
