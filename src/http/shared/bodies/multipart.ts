import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import {
  invalidField,
  malformedUpload,
  unsupportedMediaType,
} from '../../../core/shared/errors.ts';
import { feedParser, maxNonFileBytes } from './multipart-feed.ts';

const FIELD = 'file';
const LIMITS = { parts: 1_000, headerPairs: 100, headerSize: 16 * 1024 };

/** Handles the one file of an upload. */
export interface FileReceiver<T> {
  /**
   * Called before any byte of the body is read. `bytes` is the minimum size of the file, according
   * to the request's `Content-Length`. If this callback throws, the upload fails with its error.
   */
  checkSize?(bytes: number): Promise<void>;
  /**
   * Called at most once, with the file's name as the client sent it, possibly empty. The callback
   * must limit the size itself, and need not read all bytes. If the callback throws, the upload
   * fails with its error.
   */
  receive(name: string, bytes: AsyncIterable<Uint8Array>): Promise<T>;
  /**
   * Undoes `receive` if the rest of the body was malformed, truncated or too large. Must not throw.
   */
  discard(taken: T): Promise<void>;
}

/**
 * Reads one upload from a request whose body was not read yet (RFC 7578). Resolves to the result of
 * `receive`, but only after the whole body proved well-formed. Only the first part named `file` is
 * used; all other parts are discarded. After a rejection, the request is paused and may be partly
 * unread. Rejects with:
 * - 415 or 422 for the content type
 * - the error of `checkSize` or `receive`
 * - 422 for a missing file
 * - `malformed multipart body`
 * - `body too large` for the data besides the file
 */
export async function receiveFile<T>(raw: IncomingMessage, taking: FileReceiver<T>): Promise<T> {
  const boundary = readBoundary(raw.headers);
  await taking.checkSize?.(minFileBytes(raw));
  const parser = createParser(boundary);
  const file = watchForFile(parser, taking);
  const stopFeeding = feedParser(raw, parser, file.fail, file.size);
  try {
    await file.parsed; // resolves only after the body has ended
    return await file.taken();
  } catch (error) {
    await file.undo(error);
    throw error;
  } finally {
    stopFeeding();
  }
}

/**
 * Returns the minimum size of the file, in bytes: the content length minus the maximum size of
 * everything else. Returns 0 if the length is unknown.
 */
function minFileBytes({ headers }: IncomingMessage): number {
  return Math.max(0, Number(headers['content-length'] ?? 0) - maxNonFileBytes);
}

function createParser(boundary: string): BusboyInstance {
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  // Read each part as a file, so that no field is ever collected in memory.
  return new Busboy({ headers, preservePath: true, limits: LIMITS, isPartAFile: () => true });
}

function watchForFile<T>(parser: BusboyInstance, taking: FileReceiver<T>) {
  const { promise: parsed, resolve, reject: fail } = Promise.withResolvers<void>();
  let wasSeen = false;
  let stream: BusboyFileStream | undefined;
  let taken: Promise<T> | undefined;
  // Never remove these handlers: a parser may report errors long after the upload has ended.
  parser.on('error', (error) => fail(malformedUpload(error)));
  parser.on('partsLimit', () => fail(malformedUpload(new Error('too many parts'))));
  parser.on('finish', () => resolve());
  parser.on('file', (field: string | undefined, part, name: string | undefined) => {
    part.on('error', (error) => part.destroy(error));
    const counts = field === FIELD && !wasSeen && name !== undefined;
    wasSeen ||= field === FIELD;
    if (!counts) return part.resume();
    stream = part;
    taken = receivePart(name, part, taking);
    taken.catch(fail);
    return part;
  });
  return {
    parsed,
    fail,
    /** Number of the file's bytes that were parsed so far. */
    size: () => stream?.bytesRead ?? 0,
    async taken(): Promise<T> {
      if (taken === undefined) throw invalidField(FIELD, 'file part is required');
      return taken;
    },
    async undo(error: unknown): Promise<void> {
      stream?.destroy(error instanceof Error ? error : undefined);
      parser.destroy();
      await taken?.then(
        (result) => taking.discard(result),
        () => {},
      );
    },
  };
}

async function receivePart<T>(
  name: string,
  part: BusboyFileStream,
  taking: FileReceiver<T>,
): Promise<T> {
  const taken = await taking.receive(name, part.iterator({ destroyOnReturn: false }));
  part.resume(); // bytes that `receive` left unread must still be parsed
  return taken;
}

/**
 * Throws a 415 if the headers of an upload announce anything but a plain multipart form. Missing
 * headers are accepted.
 */
export function checkUploadType(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  const type = headers['content-type'] ?? 'multipart/form-data';
  const isForm = /^multipart\/form-data[ \t]*(?:;|$)/i.test(type);
  if (!isForm || encoding.trim().toLowerCase() !== 'identity') throw unsupportedMediaType();
}

/**
 * Returns the boundary of a multipart form (RFC 2046, 5.1.1): 1 to 70 characters. Throws a 415 for
 * another content type or encoding, a 422 for no content type, and a 400 for an invalid boundary.
 */
function readBoundary(headers: IncomingHttpHeaders): string {
  checkUploadType(headers);
  const type = headers['content-type'];
  if (type === undefined) throw invalidField('file', 'file part is required');
  const [, quoted, token] = /;[ \t]*boundary=(?:"([^"\\]*)"|([^\s;"\\]+))/i.exec(type) ?? [];
  const boundary = quoted ?? token ?? '';
  if (!/^[\x20-\x7e]{1,70}$/.test(boundary)) {
    throw malformedUpload(new Error('no boundary of 1 to 70 characters'));
  }
  return boundary;
}
