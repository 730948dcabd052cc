/** Progress of work on many covers. */
export interface CoverProgress {
  readonly done: number;
  readonly total: number;
  /** Name of the latest item that was processed. */
  readonly name: string;
}
