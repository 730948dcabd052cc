/** The properties of a file that are known without reading it. */
export interface Look {
  /** Bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
}

/** Returns whether the file changed since an earlier look; null stands for no file. */
export function isOther(now: Look | null, before: Look | null): boolean {
  return now?.mtimeNs !== before?.mtimeNs || now?.size !== before?.size;
}
