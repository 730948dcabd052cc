/** Where a hunk is. Positions and lengths are in bytes of the file, and not checked against it. */
export type Hunk =
  | {
      readonly kind: 'packed' | 'stored';
      /** Number of the header's codec; 0 for what is stored. */
      readonly codec: number;
      readonly offset: number;
      readonly length: number;
      /** Whether these are the hunk's bytes, by its checksum. */
      readonly isWhole: (bytes: Buffer) => boolean;
    }
  | { readonly kind: 'filled'; readonly pattern: Buffer }
  | { readonly kind: 'same'; readonly as: number };

/** The hunks of an image in their order. */
export interface HunkMap {
  readonly count: number;
  at(index: number): Hunk;
}
