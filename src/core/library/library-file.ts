import type { Identity, ImageTrack, RomForm } from './identity.ts';

/**
 * The hashes of an image, lower-case hexadecimal: of the content of a compressed container, else of
 * the file.
 */
export interface ImageHashes {
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
}

/**
 * The hashes of a file. For a disc with several tracks, they are those of the track that identifies
 * the disc.
 */
export interface TrackedHashes extends ImageHashes {
  /** Every track of a file that holds several tracks, with its hashes. */
  readonly tracks?: readonly ImageTrack[];
  /** See `Identity`. */
  readonly forms?: readonly RomForm[] | undefined;
  /** Details of an archive that became known while it was unpacked. */
  readonly inside?: InsideArchive;
  /** How the content contradicts what the container states about it, as a sentence about "it". */
  readonly damage?: string;
}

/** Details of an archive that only unpacking reveals, beyond its directory. */
export type InsideArchive = Pick<
  Identity,
  | 'members'
  | 'tracks'
  | 'imageSize'
  | 'disc'
  | 'serial'
  | 'edition'
  | 'title'
  | 'statedImage'
  | 'evidence'
  | 'problem'
>;

/** A file below a library root, as found by a walk. */
export interface FoundFile {
  readonly path: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly inode: bigint;
}

/** The part of a file record that a walk is compared with. */
export interface KnownFile extends Omit<FoundFile, 'name' | 'inode'> {
  readonly id: number;
}

/** A file with everything that was read from it. */
export interface IdentifiedFile extends FoundFile {
  readonly identity: Identity;
  /** The reader that produced the identity, see `Disk.readerOf`. */
  readonly reader: string;
  /** Calculated for exactly this size and modification time. */
  readonly hashes: ImageHashes | null;
  /** Made for exactly this size and modification time. */
  readonly chosen?: Choice | undefined;
}

/** The release that an editor chose for a file. */
export interface Choice {
  readonly releaseId: number;
  /** See `Match`. */
  readonly canonical: string | null;
}

/** A file as recorded by an earlier scan. */
export interface ScannedFile extends IdentifiedFile {
  /** The release that it was matched with, and how. */
  readonly releaseId: number | null;
  readonly method: MatchedBy | null;
  /**
   * The key of the set that it was matched with; "" if it is to be matched again, null if it was
   * matched alone.
   */
  readonly setKey: string | null;
}

/** The kinds of evidence for a release, strongest first (decisions.md, Minimal variant). */
export const methods = ['sha1', 'md5', 'crc32', 'serial', 'name'] as const;
export type Method = (typeof methods)[number];

/** The ways a file gets its release: by evidence, or by an editor's choice. */
export const waysOfMatching = [...methods, 'manual'] as const;
export type MatchedBy = (typeof waysOfMatching)[number];

/** The release matched with a file, and by what. */
export interface Match {
  readonly releaseId: number;
  readonly method: MatchedBy;
  /** The name the file should have according to the DAT, or null. */
  readonly canonical: string | null;
}

/** A file of the library as shown to clients. */
export interface LibraryItem {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  /** The system of the matched release, else of the root that the file is below. */
  readonly system: string | null;
  readonly releaseId: number | null;
  readonly serial: string | null;
  readonly method: MatchedBy | null;
  readonly canonical: string | null;
}

/** A file of the library that was matched with a release. */
export interface ReleaseFile {
  readonly id: number;
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** Bytes of the file. */
  readonly size: number;
  readonly method: MatchedBy;
  /**
   * The name of the release's ROM that the file is, by its hash, its name, or the size of its
   * image; else null.
   */
  readonly rom: string | null;
}

/** A folder with disc images. Unrecognised files below it get its system. */
export interface LibraryRoot {
  /** Absolute path. */
  readonly path: string;
  readonly system: 'games' | 'videos';
}
