/** The bytes of a remote file, or the reason why there are none. */
export type RemoteResponse =
  | {
      readonly kind: 'body';
      /** Position in the file of the first of these bytes. 0 if the server sends the whole file. */
      readonly offset: number;
      /** Size of the whole file in bytes; null if the server does not state it. */
      readonly size: number | null;
      /** Identifies exactly these bytes of the file; null if the server sends no such tag. */
      readonly tag: string | null;
      /** Throws `DownloadCut` if the connection fails before the end. */
      readonly bytes: AsyncIterable<Uint8Array>;
      /** Closes the connection. The caller must call this, also if it reads no bytes. */
      close(): void;
    }
  /** Another request would have the same result. `reason` calls the server "it". */
  | { readonly kind: 'refusal'; readonly reason: string }
  /** Another request may succeed. `reason` calls the server "it". */
  | { readonly kind: 'failure'; readonly reason: string };

/** Thrown if a download fails before its end. The message calls the server "it". */
export class DownloadCut extends Error {}

/** A zip on a server. */
export interface RemoteZip {
  readonly url: string;
  /**
   * Requests the file, or only its bytes from `offset` on if the file still has this `tag`. Throws
   * the reason of an aborted signal.
   */
  open(
    known: { readonly offset: number; readonly tag: string } | null,
    signal: AbortSignal,
  ): Promise<RemoteResponse>;
}

/** A file on this machine that a download fills. It remains when the process ends. */
export interface PartialFile {
  readonly path: string;
  /** Returns the size and the tag of the stored bytes; null if there are none. */
  find(): Promise<{ readonly size: number; readonly tag: string | null } | null>;
  /** Returns true if this many bytes can still be written. */
  hasSpaceFor(bytes: number): Promise<boolean>;
  /**
   * Writes bytes from `offset` on and drops bytes after them. Calls `onWritten` with the size of
   * the file. Resolves when the bytes are durable. Throws insufficientStorage() if the disk is
   * full.
   */
  write(
    part: { readonly offset: number; readonly tag: string | null },
    bytes: AsyncIterable<Uint8Array>,
    onWritten: (size: number) => void,
  ): Promise<void>;
  remove(): Promise<void>;
}
