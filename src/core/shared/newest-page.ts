/** A page of a list that is ordered by id, newest first. */
export interface NewestPage {
  readonly limit: number;
  /**
   * Upper limit for ids: the page contains only entries with a lower id. Null for the first page.
   */
  readonly before: number | null;
}
