/** Progress of work on many covers. */
export interface CoverProgress {
  readonly done: number;
  readonly total: number;
  /** The name of the latest item. */
  readonly name: string;
}
