/** Progress of work on many covers. */
export interface CoverProgress {
  readonly done: number;
  readonly total: number;
  /** Name of the item that was last finished (fetch) or started (extract and bundle). */
  readonly name: string;
}
