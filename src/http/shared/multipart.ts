import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { invalidField, malformedUpload } from '../../core/shared/errors.ts';
import { feed } from './multipart-feed.ts';
import { readBoundary } from './multipart-type.ts';

const FIELD = 'file';
const LIMITS = { parts: 1_000, headerPairs: 100, headerSize: 16 * 1024 };

/** What is done with the one file of an upload. */
export interface FileTaking<T> {
  /** Bytes of the file; unlimited when absent. */
  readonly maxBytes?: number;
  readonly onTooLarge: () => Error;
  /** Called at most once, with the name as the client sent it, perhaps empty. Need not read to the end. */
  take(name: string, bytes: AsyncIterable<Uint8Array>): Promise<T>;
  /** Undoes `take`, because the rest of the body turned out malformed or cut; must not throw. */
  drop(taken: T): Promise<void>;
}

/**
 * Reads one upload (RFC 7578) from an unread request. The first part named `file` counts, all others are thrown away
 * unread. Resolves only after the whole body proved well-formed; rejects with 415 or 422 by the content type, 422 for a
 * missing file, `malformed multipart body`, or what `take` threw. The request is then paused, perhaps unread.
 */
export async function receiveFile<T>(
  raw: IncomingMessage,
  taking: FileTaking<T>,
): Promise<{ name: string; taken: T }> {
  const parser = createParser(readBoundary(raw.headers));
  const file = watchForFile(parser, taking);
  const stopFeeding = feed(raw, parser, file.fail, taking.maxBytes);
  try {
    await file.parsed; // reported only after the body has ended
    const taken = await file.taken();
    if (taken === undefined) throw invalidField(FIELD, 'file part is required');
    return taken;
  } catch (error) {
    await file.undo(error as Error);
    throw error;
  } finally {
    stopFeeding();
  }
}

function createParser(boundary: string): BusboyInstance {
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  // Each part is read as a file, so that no field is ever collected in memory.
  return new Busboy({ headers, preservePath: true, limits: LIMITS, isPartAFile: () => true });
}

function watchForFile<T>(parser: BusboyInstance, taking: FileTaking<T>) {
  const { promise: parsed, resolve, reject: fail } = Promise.withResolvers<void>();
  let wasSeen = false;
  let stream: Readable | undefined;
  let taken: Promise<{ name: string; taken: T }> | undefined;
  // Handlers that stay: a parser may report errors long after it was given up.
  parser.on('error', (error) => fail(malformedUpload(error)));
  parser.on('partsLimit', () => fail(malformedUpload(new Error('too many parts'))));
  parser.on('finish', () => resolve());
  parser.on('file', (field: string | undefined, part: Readable, name: string | undefined) => {
    part.on('error', (error) => part.destroy(error));
    const counts = field === FIELD && !wasSeen && name !== undefined;
    wasSeen ||= field === FIELD;
    if (!counts) return part.resume();
    stream = part;
    taken = takePart(name, part, taking);
    taken.catch(fail);
    return part;
  });
  return {
    parsed,
    fail,
    taken: async () => taken,
    async undo(error: Error) {
      stream?.destroy(error);
      parser.destroy();
      await taken?.then(
        (result) => taking.drop(result.taken),
        () => {},
      );
    },
  };
}

async function takePart<T>(name: string, part: Readable, taking: FileTaking<T>) {
  const taken = await taking.take(name, readUpTo(taking.maxBytes ?? Infinity, part, taking));
  part.resume(); // what `take` left unread must still be parsed
  return { name, taken };
}

async function* readUpTo(most: number, part: Readable, taking: { onTooLarge: () => Error }) {
  let size = 0;
  for await (const chunk of part.iterator({ destroyOnReturn: false })) {
    size += chunk.byteLength;
    if (size > most) throw taking.onTooLarge();
    yield chunk as Uint8Array;
  }
}
