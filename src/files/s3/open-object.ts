import { Readable } from 'node:stream';
import type { OnBytes, OpenedFile, StoredFile } from '../../core/shared/files/file-area.ts';
import type { StoredObject } from '../../core/shared/files/object-records.ts';
import type { HashThread } from '../hashes/hash-thread.ts';
import type { Bucket } from './client/bucket.ts';
import { sha256OfPieces } from './hash-pieces.ts';
import { ObjectReader } from './object-reader.ts';

const pieceBytes = 32 * 1024;
/**
 * Minimum number of bytes that `head` reads and caches, if the file is that large. So reading a
 * small file, such as a cover, takes one request.
 */
const minHeadBytes = 16 * 1024;

/**
 * Returns the `StoredFile` for an object. The entity tag is the last segment of the key, which is
 * different for each stored version.
 */
export function storedFile({ name, key, size, mtimeNs, sha256 }: StoredObject): StoredFile {
  const etag = `"${key.slice(key.lastIndexOf('/') + 1)}"`;
  return { name, size, mtimeNs, etag, ...(sha256 !== '' && { sha256 }) };
}

/**
 * Opens a file of an object store by the object's key. No request is sent until the file is read.
 * `readSha256` hashes on the thread `hashes`. Without `hashes`, there is no `readSha256`.
 */
export function openObject(bucket: Bucket, object: StoredObject, hashes?: HashThread): OpenedFile {
  const file = storedFile(object);
  const reader = new ObjectReader(bucket, object);
  let state: 'open' | 'streamed' | 'closed' = 'open';
  let start: Buffer = Buffer.alloc(0);
  const read = async (buffer: Uint8Array, position: number) =>
    position < start.byteLength ? start.copy(buffer, 0, position) : reader.read(buffer, position);
  return {
    ...file,
    async head(length) {
      if (start.byteLength < Math.min(length, file.size)) {
        start = await readWhole(reader, Math.min(Math.max(length, minHeadBytes), file.size));
      }
      return start.subarray(0, length);
    },
    read,
    ...(hashes && {
      readSha256: (onBytes: OnBytes) =>
        sha256OfPieces(hashes, (use) => reader.readAll(use), onBytes),
    }),
    stream(range) {
      if (state !== 'open') throw new Error(`${file.name} was already streamed or closed`);
      state = 'streamed';
      const requested = range ?? { start: 0, end: file.size - 1 };
      reader.endAt(requested.end + 1);
      return streamOf(read, requested, () => reader.close());
    },
    signedUrl: (presentation) => bucket.signedUrl(object.key, presentation),
    async close() {
      if (state === 'streamed') return;
      state = 'closed';
      reader.close();
    },
  };
}

async function readWhole(reader: ObjectReader, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  for (let at = 0; at < length; ) at += await reader.read(buffer.subarray(at), at);
  return buffer;
}

/**
 * Returns a stream of the range. The stream fails if the object cannot be read to the end of the
 * range. So no response is silently truncated.
 */
function streamOf(
  readAt: (buffer: Uint8Array, position: number) => Promise<number>,
  range: { start: number; end: number },
  close: () => void,
): Readable {
  let position = range.start;
  async function readOn(stream: Readable): Promise<void> {
    const length = Math.min(pieceBytes, range.end - position + 1);
    if (length <= 0) {
      stream.push(null);
      return;
    }
    const buffer = Buffer.allocUnsafeSlow(length);
    const count = await readAt(buffer, position);
    if (count === 0) throw new Error('an object ended before the range did');
    position += count;
    if (!stream.destroyed) stream.push(buffer.subarray(0, count));
  }
  return new Readable({
    highWaterMark: pieceBytes,
    read() {
      readOn(this).catch((error: Error) => this.destroy(error));
    },
    destroy(error, done) {
      close();
      done(error);
    },
  });
}
