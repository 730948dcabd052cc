/** What is seen of a file without reading it. */
export interface Look {
  /** Bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
}

/** Whether another file is there than at an earlier look; null where none was. */
export function isOther(now: Look | null, before: Look | null): boolean {
  return now?.mtimeNs !== before?.mtimeNs || now?.size !== before?.size;
}
