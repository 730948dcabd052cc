/**
 * Where a hunk is stored. Positions and lengths are in bytes of the file, and not checked against
 * it.
 */
export type Hunk =
  | {
      readonly kind: 'packed' | 'stored';
      /** Index of the header's codec; 0 for stored hunks. */
      readonly codec: number;
      readonly offset: number;
      readonly length: number;
      /** Returns whether these are the hunk's bytes, by its checksum. */
      readonly isWhole: (bytes: Buffer) => boolean;
    }
  | { readonly kind: 'filled'; readonly pattern: Buffer }
  | { readonly kind: 'same'; readonly as: number };

/** The hunks of an image, in order. */
export interface HunkMap {
  readonly count: number;
  at(index: number): Hunk;
}
