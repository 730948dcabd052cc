/** How far work on many covers is. */
export interface CoverProgress {
  readonly done: number;
  readonly total: number;
  /** What was looked at last. */
  readonly name: string;
}
