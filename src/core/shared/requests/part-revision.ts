/**
 * Provides the revision of one part of the stored data. A revision is a number that changes
 * whenever the part changes.
 */
export interface PartRevision {
  /**
   * True if each read of the revision requires a database query. In this case, `known` always
   * returns undefined.
   */
  readonly requiresQuery: boolean;
  /** Returns the current revision if it is available without waiting; undefined otherwise. */
  known(): number | undefined;
  /**
   * Returns the current revision. Data that is read after this call is at least as new as the
   * returned revision.
   */
  current(): Promise<number>;
}

/**
 * Returns the current revision. A known revision is returned without a promise, which saves a turn
 * of the event loop.
 */
export function presentRevision(revision: PartRevision): number | Promise<number> {
  return revision.known() ?? revision.current();
}
