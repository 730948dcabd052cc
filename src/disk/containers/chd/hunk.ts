/**
 * The position and form of a stored hunk. Offsets and lengths are in bytes, and may be beyond the
 * end of the file. A `filled` hunk repeats a pattern. A `same` hunk equals hunk number `as`.
 */
export type Hunk =
  | {
      readonly kind: 'packed' | 'stored';
      /** Index in the header's codecs. Has no meaning for stored hunks, which need no codec. */
      readonly codec: number;
      readonly offset: number;
      readonly length: number;
      /**
       * Returns true if the checksum of the unpacked `bytes` is that of the hunk, or if the map
       * states no checksum.
       */
      readonly isWhole: (bytes: Buffer) => boolean;
    }
  | { readonly kind: 'filled'; readonly pattern: Buffer }
  | { readonly kind: 'same'; readonly as: number };

/** The hunks of an image, in order. */
export interface HunkMap {
  readonly count: number;
  at(index: number): Hunk;
}
