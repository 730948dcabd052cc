/**
 * Provides the revision of one part of the stored data. The revision is a number that changes
 * whenever the part changes.
 */
export interface PartRevision {
  /**
   * Whether each read of the revision needs a database query. If so, `known` always returns
   * undefined.
   */
  readonly isAsked: boolean;
  /** Returns the current revision if it is known without waiting; undefined otherwise. */
  known(): number | undefined;
  /**
   * Returns the current revision. Data that is read after this call is at least as new as the
   * revision.
   */
  current(): Promise<number>;
}

/**
 * Returns the current revision. Returns it without a promise if it is known, which saves a turn of
 * the event loop.
 */
export function presentRevision(revision: PartRevision): number | Promise<number> {
  return revision.known() ?? revision.current();
}
