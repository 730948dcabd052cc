/** Maximum length of one `read` of a zip's bytes. */
export const MOST_BYTES_PER_READ = 256 * 1024;

/** Random access to the bytes of a zip, wherever they are stored. */
export interface ZipBytes {
  readonly size: number;
  /**
   * Returns exactly `length` bytes, at most `MOST_BYTES_PER_READ`. Throws a refused `CatalogError`
   * when the data ends earlier; I/O errors pass through.
   */
  read(offset: number, length: number): Promise<Buffer>;
}
