/** The properties of a file that are known without reading its content. */
export interface FileStat {
  /** Bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
}

/**
 * Returns true if a file differs in size or modification time from an earlier state. Null means
 * that the file does not exist.
 */
export function hasChanged(now: FileStat | null, before: FileStat | null): boolean {
  return now?.mtimeNs !== before?.mtimeNs || now?.size !== before?.size;
}
