import type { ExportFile, ExportRelease } from './plan/export-release.ts';
import type { MemberName } from './plan/planned-game.ts';
import type { ArtPlace } from './profiles/profile.ts';

/** The releases of one set, as the user of the export sees them. */
export interface OpenedSet {
  readonly name: string;
  /** Returns the ordered names of the platforms with releases of the set in the library. */
  platforms(): Promise<readonly string[]>;
  /**
   * Yields the releases of a platform that the library has, ordered by name (code point), in
   * batches of a few hundred. The consumer may be slow.
   */
  releases(platform: string): AsyncIterable<readonly { readonly id: number }[]>;
  /** Returns the number of releases of the set for which the library has no file. */
  countMissing(): Promise<number>;
}

export interface ExportRecords {
  /** Returns these releases with their files, in this order. Unknown releases are left out. */
  describe(ids: readonly number[]): Promise<readonly ExportRelease[]>;
}

/** The covers of releases. */
export interface ExportCovers {
  /** Returns the tags of these releases' covers, by release id; a tag changes with its cover. */
  tagsOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Returns the bytes of a cover, or null if there is none or it is too large. */
  read(releaseId: number): Promise<Uint8Array | null>;
}

/**
 * Returns a picture in another format, reduced to a size and never enlarged. Returns null if the
 * bytes are not a picture that can be read.
 */
export type ConvertPicture = (
  bytes: Uint8Array,
  to: Pick<ArtPlace, 'format' | 'maxWidth' | 'maxHeight'>,
) => Promise<Uint8Array | null>;

/** The cover that a picture is made of, and the form of the picture. */
export interface PictureSource {
  readonly releaseId: number;
  /** The tag of the cover, which changes with it. */
  readonly tag: string;
  readonly place: Pick<ArtPlace, 'format' | 'maxWidth' | 'maxHeight'>;
}

/** A list of games that a player may change. */
export interface TreeList {
  readonly form: 'gamelist' | 'playlist';
  /** The folder of its games. */
  readonly tree: string;
  /** The base folder of all games on the device, and the folder in it; empty for a `gamelist`. */
  readonly names: readonly string[];
}

/** A file of the tree on a device: a game, or a file that shows the games. */
export type TreePart =
  | {
      readonly kind: 'game';
      /** Relative path with `/` between folders, as in the other parts. */
      readonly path: string;
      readonly file: ExportFile;
      /** The names to write to a sheet; see `PlannedFile`. */
      readonly sheetNames: readonly string[] | null;
      readonly memberNames: readonly MemberName[] | null;
    }
  | {
      readonly kind: 'text';
      readonly path: string;
      /** Must be read only once, and before the next part is requested. */
      readonly content: AsyncIterable<string>;
      /** Null for all texts but lists of games that a build merges. */
      readonly list: TreeList | null;
    }
  | {
      readonly kind: 'picture';
      readonly path: string;
      /** A text that changes whenever the picture changes. */
      readonly version: string;
      readonly source: PictureSource;
      /** Returns null if there is no picture that can be read. */
      read(): Promise<Uint8Array | null>;
    };

/**
 * A file of an export. Its content must be read only once, and before the next file is requested.
 */
export interface ExportMember {
  /** Relative path with `/` between folders. */
  readonly path: string;
  /** True for text, which a zip compresses; pictures are stored as they are. */
  readonly isText: boolean;
  readonly content: AsyncIterable<Uint8Array | string>;
}

/** Yields a zip of an export while its files are read. */
export type ZipExport = (members: AsyncIterable<ExportMember>) => AsyncIterable<Uint8Array>;

/** Writes an export to a zip file or to a folder; see `Exports.write`. */
export type WriteExport = (
  members: AsyncIterable<ExportMember>,
  path: string,
  signal: AbortSignal,
) => Promise<number>;
