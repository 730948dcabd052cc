/** A file in an archive of the library, as the last scan found it. */
export interface ArchivedFile {
  /** The format of the archive, such as `7z`. */
  readonly format: string;
  /** The position in the archive, counted from 0. */
  readonly index: number;
  /** The name in the archive, with folders; "" if the archive states none. Never a path. */
  readonly name: string;
  /** Uncompressed size in bytes. */
  readonly size: number;
  /** Eight lower-case hexadecimal digits; null if it is not known. */
  readonly crc32: string | null;
  /** The SHA-1 of the file itself; null if it is not known. */
  readonly sha1: string | null;
}
