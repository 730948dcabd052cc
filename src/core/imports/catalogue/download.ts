import { pause } from '../../shared/concurrency/pause.ts';
import { CatalogError, insufficientStorage, refused } from '../../shared/errors.ts';
import { DownloadCut, type PartialFile, type RemoteResponse, type RemoteZip } from './ports.ts';

export interface DownloadLimits {
  /** Maximum size of the zip, in bytes. */
  readonly maxBytes: number;
  /**
   * Pauses before further requests, in milliseconds. After a request that brings new bytes, the
   * first pause is used again.
   */
  readonly pausesMs: readonly number[];
}

export const defaultLimits: DownloadLimits = {
  maxBytes: 1024 ** 3,
  pausesMs: [1_000, 3_000, 10_000, 30_000],
};

/** Free space that a download leaves for other writes, in bytes. */
const reserveBytes = 64 * 1024 ** 2;
/** Number of downloaded bytes after which the free space is checked again. */
const bytesPerCheck = 16 * 1024 ** 2;

export interface DownloadWatch {
  readonly signal: AbortSignal;
  /** `total` is null as long as the size of the file is not known. */
  readonly onBytes: (done: number, total: number | null) => void;
}

/**
 * Downloads a zip into a file, and returns its size. Reuses the bytes of an earlier download if the
 * server still has the same file. After an interruption, continues the download after a pause. The
 * pauses get longer while requests bring no new bytes. When no pause is left, the download fails.
 * Throws refused() with advice if the zip cannot be downloaded. Throws insufficientStorage() if too
 * little space is free. After both errors, no bytes are stored, unless only the connection failed.
 */
export async function download(
  remote: RemoteZip,
  file: PartialFile,
  { signal, onBytes }: DownloadWatch,
  { maxBytes, pausesMs }: DownloadLimits,
): Promise<number> {
  let largest = (await file.find())?.size ?? 0;
  for (let failures = 0; ; ) {
    signal.throwIfAborted();
    const response = await request(remote, file, signal);
    if (response.kind === 'refusal') {
      await file.remove();
      throw failed(remote, response.reason);
    }
    const reason = response.kind === 'failure' ? response.reason : await take(response);
    const size = (await file.find())?.size ?? 0;
    if (reason === null) return size;
    failures = size > largest ? 1 : failures + 1;
    largest = Math.max(size, largest);
    const pauseMs = pausesMs[failures - 1];
    if (pauseMs === undefined) throw failed(remote, reason);
    await pause(pauseMs, signal);
  }

  /**
   * Stores the bytes of a response. Returns null if all were stored, or the reason why some are
   * missing.
   */
  async function take(response: Body): Promise<string | null> {
    const { offset, size, tag, bytes } = response;
    let written = offset;
    const onWritten = (now: number) => {
      written = now;
      onBytes(now, size);
    };
    try {
      if ((size ?? 0) > maxBytes) throw new TooLarge();
      if (size !== offset) await checkSpace((size ?? offset) - offset);
      onBytes(offset, size);
      await file.write({ offset, tag }, limited(bytes, maxBytes - offset, checkSpace), onWritten);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DownloadCut) return error.message;
      if (error instanceof TooLarge || isStorageFull(error)) await file.remove();
      if (!(error instanceof TooLarge)) throw error;
      throw failed(remote, `it sends more than ${maxBytes} bytes`);
    } finally {
      response.close();
    }
    return size === null || written === size ? null : `it sent ${written} of ${size} bytes`;
  }

  async function checkSpace(bytes: number): Promise<void> {
    if (!(await file.hasSpaceFor(bytes + reserveBytes))) throw insufficientStorage();
  }
}

export function isStorageFull(error: unknown): boolean {
  return error instanceof CatalogError && error.kind === 'storage-full';
}

type Body = Extract<RemoteResponse, { kind: 'body' }>;

class TooLarge extends Error {}

async function request(
  remote: RemoteZip,
  file: PartialFile,
  signal: AbortSignal,
): Promise<RemoteResponse> {
  const stored = await file.find();
  if (stored === null || stored.tag === null || stored.size === 0) return remote.open(null, signal);
  return remote.open({ offset: stored.size, tag: stored.tag }, signal);
}

async function* limited(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
  checkSpace: (bytes: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let left = maxBytes;
  let unchecked = 0;
  for await (const chunk of bytes) {
    left -= chunk.byteLength;
    if (left < 0) throw new TooLarge();
    unchecked += chunk.byteLength;
    if (unchecked >= bytesPerCheck) {
      await checkSpace(chunk.byteLength);
      unchecked = 0;
    }
    yield chunk;
  }
}

function failed({ url }: RemoteZip, reason: string) {
  return refused(
    `could not download ${url}: ${reason}; without it, download DATs on another machine and import them as files`,
  );
}
