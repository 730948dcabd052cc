/** The most that one `read` of a zip's bytes is asked for. */
export const MOST_BYTES_PER_READ = 256 * 1024;

/** Random access to the bytes of a zip, wherever they come from. */
export interface ZipBytes {
  readonly size: number;
  /**
   * Exactly `length` bytes, at most `MOST_BYTES_PER_READ`. Throws a refused `CatalogError` when they end before; I/O
   * errors as they come.
   */
  read(offset: number, length: number): Promise<Buffer>;
}
