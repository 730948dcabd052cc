/** A file in an archive, which must be read before the next one is requested. */
export interface UnpackedMember {
  readonly name: string;
  /** In bytes; null when only reading the file shows it. */
  readonly size: number | null;
  /** The expected CRC-32; null when the archive does not state it, or compares it itself. */
  readonly crc32: string | null;
  /** Each piece is valid only until the next one is requested. */
  readonly pieces: AsyncIterable<Buffer>;
}
