import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenedFile, StoredFile } from '../../../core/shared/files/file-area.ts';
import type { CachedBody } from '../response-cache/prepared-headers.ts';
import { modifiedMs } from './file-response.ts';
import { sendFile } from './send-file.ts';

/** A file that is small enough to be cached in memory, and how it is presented. */
export interface SmallFile {
  readonly bytes: Buffer;
  /** Metadata of the file. The response contains its `etag` and modification time. */
  readonly metadata: StoredFile;
  /** Content type. */
  readonly type: string;
  /** Headers specific to this file. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A cached file. The file was current when `fingerprint` was determined. It stays current
 * while its fingerprint is the same.
 */
export interface CachedFile extends CachedBody, SmallFile {
  readonly fingerprint: string;
  /** Returns true if the file is still current. Synchronous. */
  readonly isCurrent: () => boolean;
}

/**
 * Returns the file in the form in which it is cached. Returns null if the file's modification time
 * is in the future. `Last-Modified` is then the time at which each response is sent, so the
 * response cannot be cached.
 */
export function toCachedFile(
  file: SmallFile,
  fingerprint: string,
  currentFingerprint: () => string | null,
) {
  if (modifiedMs(file.metadata) > Date.now()) return null;
  const cached: CachedFile = {
    ...file,
    fingerprint,
    etag: file.metadata.etag,
    isCurrent: () => currentFingerprint() === fingerprint,
  };
  return cached;
}

/** Does the same as `sendFile`, for bytes in memory. */
export function sendSmallFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, metadata, type, headers }: SmallFile,
): Promise<FastifyReply> {
  reply.headers(headers);
  return sendFile(request, reply, bytesFile(bytes, metadata), { type });
}

/** Returns bytes in memory as a file that can be sent. `metadata` is the metadata of the file. */
function bytesFile(bytes: Uint8Array, metadata: StoredFile): OpenedFile {
  return {
    ...metadata,
    head: async (length) => bytes.subarray(0, length),
    async read(buffer, position) {
      const wanted = bytes.subarray(position, position + buffer.byteLength);
      buffer.set(wanted);
      return wanted.byteLength;
    },
    stream: ({ start, end } = { start: 0, end: bytes.byteLength - 1 }) =>
      Readable.from([Buffer.from(bytes.subarray(start, end + 1))]),
    close: async () => undefined,
  };
}
