/** Maximum number of bytes that one `read` of a zip returns. */
export const MOST_BYTES_PER_READ = 256 * 1024;

/** Random access to the bytes of a zip, regardless of where the zip is stored. */
export interface ZipBytes {
  readonly size: number;
  /**
   * Returns exactly `length` bytes; `length` must be at most `MOST_BYTES_PER_READ`. Throws a
   * refused `CatalogError` if the zip ends before, and I/O errors.
   */
  read(offset: number, length: number): Promise<Buffer>;
}
