/**
 * The place and form of a stored hunk. Positions and lengths are in bytes, and may be beyond the
 * end of the file. A `filled` hunk repeats a pattern; a `same` hunk equals hunk number `as`.
 */
export type Hunk =
  | {
      readonly kind: 'packed' | 'stored';
      /** Index in the header's codecs; 0 for stored hunks, which need no codec. */
      readonly codec: number;
      readonly offset: number;
      readonly length: number;
      /** Returns whether these unpacked bytes have the hunk's checksum. */
      readonly isWhole: (bytes: Buffer) => boolean;
    }
  | { readonly kind: 'filled'; readonly pattern: Buffer }
  | { readonly kind: 'same'; readonly as: number };

/** The hunks of an image, in order. */
export interface HunkMap {
  readonly count: number;
  at(index: number): Hunk;
}
