/** Options of a write transaction. */
export interface WriteOptions {
  /** Maximum time, in ms, until the transaction has begun and has the locks that it needs. */
  readonly busyMs?: number;
  /**
   * True if the transaction is one part of long work that is worthless until all parts are done.
   * The part need not be durable when it commits. The next durable commit makes the part durable
   * too.
   */
  readonly isPart?: boolean;
  /**
   * True if the transaction may be idle while another process waits. Without this option, such a
   * transaction is rolled back.
   */
  readonly mayIdle?: boolean;
}
