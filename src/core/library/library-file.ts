import type { Identity, ImageTrack, RomForm } from './identity.ts';

/** The hashes of an image, lower-case hexadecimal: of what is inside a compressed container, else of the file. */
export interface ImageHashes {
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
}

/** Of a disc with several tracks the hashes are those of the track that tells what it is. */
export interface TrackedHashes extends ImageHashes {
  /** Every track of a file that holds several, with its hashes. */
  readonly tracks?: readonly ImageTrack[];
  /** See `Identity`. */
  readonly forms?: readonly RomForm[] | undefined;
  /** What became known of an archive while it was unpacked. */
  readonly inside?: InsideArchive;
  /** What is wrong by what the container states of its content, as a sentence about "it". */
  readonly damage?: string;
}

/** What unpacking an archive tells of it, beyond its directory. */
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

/** A file below a library root, as a walk finds it. */
export interface FoundFile {
  readonly path: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly inode: bigint;
}

/** What is remembered of a file, as far as a walk is compared with it. */
export interface KnownFile extends Omit<FoundFile, 'name' | 'inode'> {
  readonly id: number;
}

/** A file with everything that was read from it. */
export interface IdentifiedFile extends FoundFile {
  readonly identity: Identity;
  /** What made the identity, see `Disk.readerOf`. */
  readonly reader: string;
  /** Made for this very size and modification time. */
  readonly hashes: ImageHashes | null;
  /** Made for this very size and modification time, too. */
  readonly chosen?: Choice | undefined;
}

/** The release that an editor chose for a file. */
export interface Choice {
  readonly releaseId: number;
  /** As that of `Match`. */
  readonly canonical: string | null;
}

/** A file as an earlier scan left it. */
export interface ScannedFile extends IdentifiedFile {
  /** The release that it was matched with, and how. */
  readonly releaseId: number | null;
  readonly method: MatchedBy | null;
  /** Of the set that it was matched with; "" when that is to be done again, null when it was matched by itself. */
  readonly setKey: string | null;
}

/** How a release was found, strongest first (decisions.md, Minimal variant). */
export const methods = ['sha1', 'md5', 'crc32', 'serial', 'name'] as const;
export type Method = (typeof methods)[number];

/** The same, or an editor chose it. */
export const waysOfMatching = [...methods, 'manual'] as const;
export type MatchedBy = (typeof waysOfMatching)[number];

/** The release that a file is, and why. */
export interface Match {
  readonly releaseId: number;
  readonly method: MatchedBy;
  /** The name the file should have according to the DAT, or null. */
  readonly canonical: string | null;
}

/** A file of the library as it is shown. */
export interface LibraryItem {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  /** The matched release's system, else that of the root it lies below. */
  readonly system: string | null;
  readonly releaseId: number | null;
  readonly serial: string | null;
  readonly method: MatchedBy | null;
  readonly canonical: string | null;
}

/** A file of the library that a release was matched with. */
export interface ReleaseFile {
  readonly id: number;
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Bytes of the file. */
  readonly size: number;
  readonly method: MatchedBy;
  /** The name of the release's ROM that the file is, by its hash, its name, or the size of its image; else null. */
  readonly rom: string | null;
}

/** A folder with disc images; what lies below it and is not recognised belongs to its system. */
export interface LibraryRoot {
  /** Absolute path. */
  readonly path: string;
  readonly system: 'games' | 'videos';
}
