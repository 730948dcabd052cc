import type { Identity, ImageTrack, RomForm } from './identity.ts';

/**
 * The hashes of an image, in lower-case hexadecimal. For a compressed container, the hashes cover
 * the uncompressed content. For any other file, the hashes cover the file itself.
 */
export interface ImageHashes {
  readonly size: number;
  readonly crc32: string;
  readonly md5: string;
  readonly sha1: string;
}

/**
 * The hashes of a file. For a disc with several tracks, these are the hashes of the track that
 * identifies the disc.
 */
export interface TrackedHashes extends ImageHashes {
  /** The tracks with their hashes. Set only for a file that contains several tracks. */
  readonly tracks?: readonly ImageTrack[];
  /** The other forms of a cartridge dump; see `Identity.forms`. */
  readonly forms?: readonly RomForm[] | undefined;
  /** Details of an archive that were found by unpacking the archive. */
  readonly inside?: UnpackedDetails;
  /**
   * A description of the damage, if the content contradicts what its container states. The
   * description is a sentence that refers to the file as "it".
   */
  readonly damage?: string;
}

/**
 * Details of an archive that the directory of the archive does not contain. Only unpacking the
 * archive reveals these details.
 */
export type UnpackedDetails = Pick<
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

/** A file that a walk found below a library root. */
export interface FoundFile {
  readonly path: string;
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly inode: bigint;
}

/** The fields of a known file's record that a walk compares with the disk. */
export interface KnownFile extends Omit<FoundFile, 'name' | 'inode'> {
  readonly id: number;
}

/** A file with all values that were read from the file's content. */
export interface IdentifiedFile extends FoundFile {
  readonly identity: Identity;
  /** The reader that produced the identity, with its version; see `Disk.readerOf`. */
  readonly reader: string;
  /**
   * The hashes of the file, or null if the file was not hashed. The hashes are valid only for
   * exactly this size and modification time.
   */
  readonly hashes: ImageHashes | null;
  /**
   * The release that an editor chose. The choice is valid only for exactly this size and
   * modification time.
   */
  readonly chosen?: Choice | undefined;
}

/** The release that an editor chose for a file. */
export interface Choice {
  readonly releaseId: number;
  /** The name that the file should have; see `Match.canonical`. */
  readonly canonical: string | null;
}

/** A file as recorded by an earlier scan. */
export interface ScannedFile extends IdentifiedFile {
  /**
   * The matched release. `method` states how it was matched. Both are null if no release matched.
   */
  readonly releaseId: number | null;
  readonly method: MatchMethod | null;
  /**
   * The key of the set that the file was matched with. "" if the file has to be matched again. Null
   * if the file was matched alone.
   */
  readonly setKey: string | null;
}

/**
 * The kinds of evidence that can match a release, strongest first (docs/library.md).
 */
export const methods = ['sha1', 'md5', 'crc32', 'serial', 'name'] as const;
export type Method = (typeof methods)[number];

/** The possible origins of a file's release: a kind of evidence, or an editor's choice. */
export const matchMethods = [...methods, 'manual'] as const;
export type MatchMethod = (typeof matchMethods)[number];

/** The release that a file was matched with, and the way of matching. */
export interface Match {
  readonly releaseId: number;
  readonly method: MatchMethod;
  /** The name that the file should have according to the DAT. Null if the DAT provides no name. */
  readonly canonical: string | null;
}

/** A file of the library as shown to clients. */
export interface LibraryItem {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  /**
   * The system of the matched release. If no release matched, the system of the root that contains
   * the file.
   */
  readonly system: string | null;
  readonly releaseId: number | null;
  readonly serial: string | null;
  readonly method: MatchMethod | null;
  readonly canonical: string | null;
}

/** A file of the library that was matched with a release. */
export interface ReleaseFile {
  readonly id: number;
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  /** Size of the file in bytes. */
  readonly size: number;
  readonly method: MatchMethod;
  /**
   * The name of the ROM that this file contains. The ROM is found by the file's hash, the file's
   * name, or the size of the image. Null if no ROM is found.
   */
  readonly rom: string | null;
}

/**
 * A folder that contains disc images. Unrecognised files below the folder get the folder's system.
 */
export interface LibraryRoot {
  /** Absolute path. */
  readonly path: string;
  readonly system: 'games' | 'videos';
}
