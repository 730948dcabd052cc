/** Maximum number of bytes that one `read` of a zip returns. */
export const MAX_BYTES_PER_READ = 256 * 1024;

/** Random access to the bytes of a zip, independent of where the zip is stored. */
export interface ZipBytes {
  readonly size: number;
  /**
   * Returns exactly `length` bytes from `offset` on. `length` must be at most
   * `MAX_BYTES_PER_READ`. Throws a `CatalogError` of kind `refused` if the zip ends earlier. I/O
   * errors are rethrown.
   */
  read(offset: number, length: number): Promise<Buffer>;
}
