import type { OpenedFile, StoredFile } from '../shared/files/file-area.ts';
import type { Viewer } from '../shared/requests/viewer.ts';

/** A set that is shown as a folder. Its id identifies it even if its name is not unique. */
export interface TreeSet {
  readonly id: number;
  readonly name: string;
}

/** A file of the tree of a set; see `TreePart` of exports. */
export type TreePart =
  | {
      readonly kind: 'game';
      readonly path: string;
      readonly file: { readonly id: number };
      readonly sheetNames: readonly string[] | null;
    }
  | { readonly kind: 'text'; readonly path: string; readonly content: AsyncIterable<string> }
  | { readonly kind: 'picture'; readonly path: string; readonly source: PictureSource };

/** The cover that a picture is made of, and the form of the picture. */
export interface PictureSource {
  readonly releaseId: number;
  /** The tag of the cover, which changes with it. */
  readonly tag: string;
  readonly place: {
    readonly format: 'png' | 'jpg';
    readonly maxWidth: number;
    readonly maxHeight: number;
  };
}

/** A set that a viewer may see. */
export interface OpenedTreeSet extends TreeSet {
  /** A text that changes with the rule of the set, with the viewer, and with the day. */
  readonly key: string;
  /** Yields the files of the set on a device. */
  readTree(profile: string): AsyncIterable<TreePart>;
}

export interface TreeSets {
  /** Returns the sets that a viewer sees, ordered by name, then by id. */
  list(viewer: Viewer): Promise<readonly TreeSet[]>;
  /** Opens the set with this id or name. Throws `not found`. */
  open(idOrName: string, viewer: Viewer): Promise<OpenedTreeSet>;
}

/** The profiles of the devices for which trees are made. */
export interface TreeProfiles {
  list(): readonly { readonly id: string }[];
  /** Throws `no such profile`. */
  get(id: string): unknown;
}

export interface TreeSources {
  /** Returns the size and the time of library files as recorded, by id. Unknown ids are absent. */
  find(
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, { readonly size: number; readonly mtimeNs: bigint }>>;
}

/** A library file that is open for a download. */
export interface OpenedLibraryFile {
  readonly file: OpenedFile;
  readonly system: string;
}

/** Opens library files for downloads; see `LibraryDownloads`. */
export interface TreeDownloads {
  readonly isOn: boolean;
  open(id: number): Promise<OpenedLibraryFile>;
  recordDownload(opened: OpenedLibraryFile, userId: number): void;
}

export interface TreeContents {
  /**
   * Returns the bytes of a picture, or null if the cover cannot be read. Throws
   * `changed meanwhile` if the release has another cover by now.
   */
  readPicture(source: PictureSource): Promise<Uint8Array | null>;
  /** Returns a sheet with other names of files, or null if it does not name this many files. */
  rewriteSheet(sheet: Uint8Array, names: readonly string[]): Uint8Array | null;
  /** Returns bytes in memory as an open file. */
  openBytes(bytes: Uint8Array, metadata: StoredFile): OpenedFile;
}
