/**
 * A file from an archive. The caller must read all pieces before it requests the next file, unless
 * `isSkippable`.
 */
export interface UnpackedMember {
  readonly name: string;
  /** Unpacked size in bytes. Null if the size is known only after the file has been read. */
  readonly size: number | null;
  /**
   * The CRC-32 to compare with the content. Null if the archive states no CRC-32, or if it is
   * already compared during unpacking.
   */
  readonly crc32: string | null;
  /** The content. Each piece is valid only until the next piece is requested. */
  readonly pieces: AsyncIterable<Buffer>;
  /** True if the next file can be requested without reading this one. */
  readonly isSkippable?: true;
}
