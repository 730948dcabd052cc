/** The properties of a file that can be read without reading its content. */
export interface Look {
  /** Bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
}

/**
 * Returns whether a file differs from an earlier state of it. Null means that the file does not
 * exist.
 */
export function isOther(now: Look | null, before: Look | null): boolean {
  return now?.mtimeNs !== before?.mtimeNs || now?.size !== before?.size;
}
