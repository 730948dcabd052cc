import type { RawBuilder } from 'kysely';

/** Expressions about transactions. */
export interface TransactionStates {
  /** The id of the transaction that evaluates the expression. */
  readonly currentId: RawBuilder<string>;
  /**
   * Returns an expression for the state of a transaction: `committed`, `aborted` or `in progress`;
   * null for a transaction that ended long ago. The expression fails for an id that the database
   * has not used yet.
   */
  stateOf(id: string): RawBuilder<string | null>;
}
