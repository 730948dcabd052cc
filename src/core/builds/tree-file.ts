import type { FileFacts, FileKind, ListRecord } from './build-entry.ts';
import type { LibrarySource, PackedContent } from './ports.ts';

/** A file that a target is to have. */
export type TreeFile = {
  /** Path below the target, with `/` between folders. */
  readonly path: string;
  readonly kind: FileKind;
  /** See `BuildEntry.keys`. */
  readonly keys: readonly string[];
  /** Size in bytes; 0 for a picture, which has no size before it is made. */
  readonly size: number;
} & (
  | {
      readonly kind: 'game';
      readonly source: LibrarySource;
      /** The names to write to a sheet; null for a file that is copied as it is. */
      readonly sheetNames: readonly string[] | null;
      /** The file in the archive `source` that this is; null for the source itself. */
      readonly packed: Pick<PackedContent, 'member' | 'names'> | null;
    }
  | {
      readonly kind: 'text';
      readonly bytes: Uint8Array;
      /** Null if the text is not a list of games. */
      readonly list: ListRecord | null;
      /** The facts of the list with which it was merged; null if it was not. */
      readonly merged: FileFacts | null;
    }
  | { readonly kind: 'picture'; read(): Promise<Uint8Array | null> }
);
