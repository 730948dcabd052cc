/** A file from an archive. Read all of its pieces before requesting the next file. */
export interface UnpackedMember {
  readonly name: string;
  /** Unpacked size in bytes; null if the size is known only after reading the file. */
  readonly size: number | null;
  /**
   * The expected CRC-32. Null if the archive does not state it, or if unpacking already compares
   * it.
   */
  readonly crc32: string | null;
  /** The content. Each piece is valid only until the next one is requested. */
  readonly pieces: AsyncIterable<Buffer>;
}
