/** A page of a list that is ordered by id, newest first. */
export interface NewestPage {
  readonly limit: number;
  /** Only entries with a lower id than this are on the page; null for the first page. */
  readonly before: number | null;
}
