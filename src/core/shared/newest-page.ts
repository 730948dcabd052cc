/** A page of a list that begins with the newest: by id, the highest first. */
export interface NewestPage {
  readonly limit: number;
  /** Only entries with a lower id; null to begin with the newest. */
  readonly before: number | null;
}
