/** The revision of one part of the stored data: a number that changes whenever the part does. */
export interface PartRevision {
  /** Whether each read needs a database query, so that the revision is never known at once. */
  readonly isAsked: boolean;
  /** Returns the current revision if it is known without waiting. */
  known(): number | undefined;
  /** Returns the current revision. Data that is read afterwards is at least as new. */
  current(): Promise<number>;
}

/** Works like `current`, but without a turn of the event loop if the revision is known. */
export function presentRevision(revision: PartRevision): number | Promise<number> {
  return revision.known() ?? revision.current();
}
