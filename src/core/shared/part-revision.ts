/** The revision of one part of what is stored: another number with every change of what the part shows. */
export interface PartRevision {
  /** Whether it takes a question to the database each time, and is never known at once. */
  readonly isAsked: boolean;
  /** The present one, if it can be told at once. */
  known(): number | undefined;
  /** The present one. Whatever is read after this is at least as new. */
  current(): Promise<number>;
}

/** As `current`, without a turn of the event loop where it is known. */
export function presentRevision(revision: PartRevision): number | Promise<number> {
  return revision.known() ?? revision.current();
}
