import {
  type ResponseOf,
  refusalOf,
  reportReachability,
  requestHeaders,
  requestJson,
  requestUrl,
  Unreachable,
} from './request.ts';

/** An upload, without its chunks. */
export type UploadRecord = ResponseOf<'getUploads'>['items'][number];
/** An upload with its chunks. */
export type UploadDetails = ResponseOf<'getUploadsUploadId'>;
export type UploadSystem = UploadRecord['system'];

/** The metadata of a file. The page sends the metadata before the file itself. */
export interface UploadMetadata {
  readonly filename: string;
  readonly system: UploadSystem;
  /** Size of the file, in bytes. */
  readonly size: number;
  /** True if the upload replaces an existing archive of the same name. */
  readonly replaces: boolean;
}

const tus = { 'tus-resumable': '1.0.0' };

/** Returns the current user's uploads that were started but not completed. */
export async function listUnfinished(signal: AbortSignal): Promise<readonly UploadRecord[]> {
  const query = { state: 'receiving', own: 1 } as const;
  return (await requestJson('GET', '/api/uploads', { query, signal })).items;
}

export function readUpload(id: number, signal: AbortSignal): Promise<UploadDetails> {
  return requestJson('GET', '/api/uploads/{upload_id}', { path: { upload_id: id }, signal });
}

/** Starts an upload (tus protocol) and returns its id. Throws the same errors as `requestJson`. */
export async function beginUpload(
  { filename, system, size, replaces }: UploadMetadata,
  signal: AbortSignal,
): Promise<number> {
  const pairs = Object.entries({ filename, system, ...(replaces && { replace: '1' }) });
  const metadata = pairs.map(([key, value]) => `${key} ${base64(new TextEncoder().encode(value))}`);
  const headers = { ...tus, 'upload-length': String(size), 'upload-metadata': metadata.join(',') };
  const received = await requestHeaders('POST', '/api/uploads', { headers, signal });
  return Number(received.get('location')?.split('/').at(-1));
}

export async function removeUpload(id: number): Promise<void> {
  await requestHeaders('DELETE', '/api/uploads/{upload_id}', {
    path: { upload_id: id },
    headers: tus,
  });
}

/** Parameters for sending a chunk. */
export interface ChunkOptions {
  readonly offset: number;
  readonly sha256: Uint8Array;
  readonly signal: AbortSignal;
  /** Called with the number of bytes of the chunk sent so far. */
  readonly onProgress: (bytes: number) => void;
}

/**
 * Sends a chunk. Resolves with the number of bytes of the whole file that the server has durably
 * stored. Uses XMLHttpRequest, because `fetch` does not report upload progress.
 */
export function sendChunk(id: number, chunk: Blob, sending: ChunkOptions): Promise<number> {
  const { offset, sha256, signal, onProgress } = sending;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(
      'PATCH',
      requestUrl('PATCH', '/api/uploads/{upload_id}', { path: { upload_id: id } }),
    );
    const headers = {
      ...tus,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      'upload-checksum': `sha256 ${base64(sha256)}`,
    };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onerror = () => {
      reportReachability(false);
      reject(new Unreachable());
    };
    request.onabort = () => reject(signal.reason);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    request.onload = () => {
      const { status, responseText } = request;
      if (status === 502 || status === 504) reject(new Unreachable());
      else if (status === 204) resolve(Number(request.getResponseHeader('upload-offset')));
      else reject(refusalOf(status, responseText, request.getResponseHeader('retry-after')));
    };
    signal.addEventListener('abort', abort);
    if (signal.aborted) reject(signal.reason);
    else request.send(chunk);
  });
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join(''));
}
