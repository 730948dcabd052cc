import { Refusal } from '../api/request.ts';
import type {
  ChunkOptions,
  UploadDetails,
  UploadMetadata,
  UploadRecord,
  UploadSystem,
} from '../api/uploads.ts';
import type { FileUpload } from './file-upload.svelte.ts';
import type { Hasher } from './hasher.ts';

/**
 * Size of a chunk, in bytes. The size is small enough to send a chunk again, and large enough to
 * make the time per request negligible.
 */
export const chunkBytes = 16 * 1_048_576;
/**
 * Maximum number of consecutive checksum or offset errors that are retried. The next such error
 * fails the upload.
 */
const maxMismatches = 5;
const checkAgainMs = 1_000;

/** The requests that an upload sends to the server. */
export interface UploadApi {
  listUnfinished(signal: AbortSignal): Promise<readonly UploadRecord[]>;
  readUpload(id: number, signal: AbortSignal): Promise<UploadDetails>;
  beginUpload(file: UploadMetadata, signal: AbortSignal): Promise<number>;
  sendChunk(id: number, chunk: Blob, sending: ChunkOptions): Promise<number>;
  removeUpload(id: number): Promise<void>;
  /** Returns the stored archives that are exactly `size` bytes long. */
  listOfSize(
    system: UploadSystem,
    size: number,
    signal: AbortSignal,
  ): Promise<readonly { name: string; sha256: string | null }[]>;
}

export interface UploadDependencies {
  readonly api: UploadApi;
  readonly hasher: Hasher;
  /** Resolves after this many milliseconds. Rejects with the signal's reason after an abort. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Uploads a file, or resumes an unfinished upload of the file. Afterwards, the upload is in a final
 * state (`done`, `here`), or the user must decide (`taken`, `other`). Throws a Refusal,
 * Unreachable, or the signal's reason.
 */
export async function sendFile(
  upload: FileUpload,
  parts: UploadDependencies,
  signal: AbortSignal,
): Promise<void> {
  const offset = await findStartOffset(upload, parts, signal);
  if (offset === null) return;
  await sendChunks(upload, offset, parts, signal);
  await awaitCheck(upload, parts, signal);
}

/**
 * Returns the offset from which to send the file, in bytes. Returns null if there is nothing to
 * send, or if the user must decide first.
 */
async function findStartOffset(
  upload: FileUpload,
  parts: UploadDependencies,
  signal: AbortSignal,
): Promise<number | null> {
  const { api } = parts;
  if (upload.id !== null) {
    const known = await api.readUpload(upload.id, signal).catch(nullIfGone);
    if (known !== null) return known.offset;
    upload.id = null;
  }
  const left = await findLeft(upload, api, signal);
  if (left !== undefined) return resumeUnfinished(upload, left.id, parts, signal);
  if (!upload.isNew && (await isAlreadyStored(upload, parts, signal))) return null;
  upload.isNew = true;
  return begin(upload, api, signal);
}

async function findLeft({ name, system }: FileUpload, api: UploadApi, signal: AbortSignal) {
  const unfinished = await api.listUnfinished(signal);
  return unfinished.find((each) => each.filename === name && each.system === system);
}

/**
 * Compares the file with the chunks of an unfinished upload. If the checksums of all chunks match,
 * returns the offset from which to continue. Otherwise sets the state `other` and returns null.
 */
async function resumeUnfinished(
  upload: FileUpload,
  id: number,
  { api, hasher }: UploadDependencies,
  signal: AbortSignal,
): Promise<number | null> {
  const { size, chunks, offset } = await api.readUpload(id, signal);
  upload.startAt(0, 'comparing');
  let start = 0;
  for (const chunk of size === upload.size ? chunks : []) {
    const bytes = upload.file.slice(start, start + chunk.size);
    if (hex(await hasher.sha256(bytes, signal)) !== chunk.sha256) break;
    start += chunk.size;
    upload.moveTo(start);
  }
  if (start !== offset || size !== upload.size) {
    upload.state = 'other';
    return null;
  }
  upload.id = id;
  return offset;
}

/**
 * Returns true if the store already has an archive with the same bytes. Hashes the file only if an
 * archive of the same size has a known checksum.
 */
async function isAlreadyStored(
  upload: FileUpload,
  { api, hasher }: UploadDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  const { system, size, file } = upload;
  if (system === 'dats') return false;
  const same = await api.listOfSize(system, size, signal);
  if (!same.some(({ sha256 }) => sha256 !== null)) return false;
  upload.startAt(0, 'comparing');
  const own = hex(await hasher.sha256(file, signal, (bytes) => upload.moveTo(bytes)));
  const twin = same.find(({ sha256 }) => sha256 === own);
  if (twin === undefined) return false;
  upload.twin = twin.name;
  upload.startAt(size, 'here');
  return true;
}

async function begin(
  upload: FileUpload,
  api: UploadApi,
  signal: AbortSignal,
): Promise<number | null> {
  const { file, system, size, replaces } = upload;
  try {
    upload.id = await api.beginUpload({ filename: file.name, system, size, replaces }, signal);
    return 0;
  } catch (error) {
    if (!isRefused(error, 409, 'archive exists')) throw error;
    upload.startAt(0, 'taken');
    return null;
  }
}

async function sendChunks(
  upload: FileUpload,
  offset: number,
  { api, hasher }: UploadDependencies,
  signal: AbortSignal,
): Promise<void> {
  const id = upload.id ?? 0;
  let at = offset;
  let mismatches = 0;
  upload.startAt(at, 'sending');
  while (at < upload.size) {
    const start = at;
    const chunk = upload.file.slice(start, start + chunkBytes);
    const sha256 = await hasher.sha256(chunk, signal);
    const onProgress = (bytes: number) => upload.moveTo(Math.min(start + bytes, upload.size));
    try {
      at = await api.sendChunk(id, chunk, { offset: start, sha256, signal, onProgress });
      mismatches = 0;
    } catch (error) {
      mismatches += 1;
      const mayPass =
        isRefused(error, 460, 'checksum mismatch') || isRefused(error, 409, 'wrong offset');
      if (!mayPass || mismatches > maxMismatches) throw error;
      at = (await api.readUpload(id, signal)).offset;
    }
    upload.moveTo(at);
  }
}

/**
 * Waits until the server has calculated the checksum of the whole file, and has stored the file
 * under its name.
 */
async function awaitCheck(
  upload: FileUpload,
  { api, pause }: UploadDependencies,
  signal: AbortSignal,
): Promise<void> {
  upload.startAt(upload.size, 'checking');
  for (;;) {
    const { state, detail } = await api.readUpload(upload.id ?? 0, signal);
    if (state === 'done') {
      upload.state = 'done';
      return;
    }
    if (state === 'failed') {
      upload.id = null;
      throw new Refusal(409, detail ?? '');
    }
    await pause(checkAgainMs, signal);
  }
}

function isRefused(error: unknown, status: number, detail: string): boolean {
  return error instanceof Refusal && error.status === status && error.message === detail;
}

function nullIfGone(error: unknown): null {
  if (error instanceof Refusal && error.status === 404) return null;
  throw error;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (each) => each.toString(16).padStart(2, '0')).join('');
}
