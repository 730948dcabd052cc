/** A file in an archive, to be read before the next one is asked for. */
export interface UnpackedMember {
  readonly name: string;
  /** In bytes; null when only reading it tells. */
  readonly size: number | null;
  /** What the content is to have; null when the archive does not state it, or compares it itself. */
  readonly crc32: string | null;
  /** Each counts only until the next one is asked for. */
  readonly pieces: AsyncIterable<Buffer>;
}
