import type { FileFacts, FileKind, ListRecord } from './build-entry.ts';
import type { LibrarySource, PackedContent } from './ports.ts';

/** A file that belongs in a target after a build. */
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
      /**
       * The member of the archive `source` that this file is. Null if this file is `source` itself.
       */
      readonly packed: Pick<PackedContent, 'member' | 'names'> | null;
    }
  | {
      readonly kind: 'text';
      readonly bytes: Uint8Array;
      /** Null if the text is not a list of games. */
      readonly list: ListRecord | null;
      /**
       * The facts of the existing list that the text was merged with. Null if it was not merged.
       */
      readonly merged: FileFacts | null;
    }
  | { readonly kind: 'picture'; read(): Promise<Uint8Array | null> }
);
