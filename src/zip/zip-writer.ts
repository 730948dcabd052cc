import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { refused } from '../core/shared/errors.ts';
import {
  descriptor,
  directoryEnd,
  directoryEntry,
  localHeader,
  maxUnknownSize,
} from './zip-records.ts';

/** A file to write to a zip. The size may be unknown. */
export interface NewMember {
  /** Path with `/` between folders. */
  readonly name: string;
  /** True to compress the file, false to store it uncompressed. */
  readonly isCompressed: boolean;
  readonly content: AsyncIterable<Uint8Array | string>;
}

/** Maximum size, in bytes, of a text that is compressed in one call, without a stream. */
const small = 64 * 1024;
/**
 * Maximum size, in bytes, of a piece that is joined with the records before it. Joining copies the
 * piece.
 */
const maxCopied = 64 * 1024;
/** Minimum size, in bytes, of a joined piece of the directory in memory. */
const directoryPiece = 64 * 1024;

/**
 * Writes a zip while reading its files, one at a time. No modification times are written, so the
 * same files produce the same bytes. Only the directory stays in memory: for each file, the name
 * and about 50 bytes.
 */
export class ZipWriter {
  readonly #directory = new Pieces();
  /** Records that must be yielded before the next bytes. */
  #records: Buffer[] = [];
  #offset = 0;
  #count = 0;

  /**
   * Yields the header and the bytes of a file. Throws a `CatalogError` of kind `refused` if the
   * file has more than `maxUnknownSize` bytes, compressed or not.
   */
  async *add({ name, isCompressed, content }: NewMember): AsyncGenerator<Uint8Array> {
    const member = {
      name: Buffer.from(name),
      isCompressed,
      ...{ size: null, crc32: null, modifiedMs: null },
    };
    const header = localHeader(member);
    this.#records.push(header);
    const sum = { size: 0, crc32: 0 };
    let packedSize = 0;
    const bytes = measured(content, sum);
    for await (const piece of isCompressed ? deflated(bytes) : bytes) {
      packedSize += piece.byteLength;
      if (Math.max(packedSize, sum.size) > maxUnknownSize) {
        throw refused(`${name} is too large for the zip`);
      }
      yield* this.#withRecords(piece);
    }
    const end = descriptor({ ...sum, packedSize });
    this.#records.push(end);
    const place = { offset: this.#offset, hasDescriptor: true };
    this.#directory.add(directoryEntry({ ...member, ...sum, packedSize, ...place }));
    this.#count += 1;
    this.#offset += header.length + packedSize + end.length;
  }

  /** Yields the end of the zip. */
  *end(): Generator<Uint8Array> {
    const directory = this.#directory;
    yield* this.#records;
    yield* directory.all();
    yield directoryEnd({ count: this.#count, start: this.#offset, size: directory.size });
  }

  /** Yields the waiting records, then a piece of a file. Joins a small piece with the records. */
  *#withRecords(piece: Uint8Array): Generator<Uint8Array> {
    const records = this.#records;
    this.#records = [];
    if (records.length === 0) yield piece;
    else if (piece.byteLength <= maxCopied) yield Buffer.concat([...records, piece]);
    else yield* [Buffer.concat(records), piece];
  }
}

/** Joins many small buffers into a few large buffers, which take less memory. */
class Pieces {
  readonly #whole: Buffer[] = [];
  #last: Buffer[] = [];
  #lastSize = 0;
  size = 0;

  add(bytes: Buffer): void {
    this.#last.push(bytes);
    this.#lastSize += bytes.length;
    this.size += bytes.length;
    if (this.#lastSize < directoryPiece) return;
    this.#whole.push(Buffer.concat(this.#last));
    this.#last = [];
    this.#lastSize = 0;
  }

  all(): readonly Buffer[] {
    return [...this.#whole, Buffer.concat(this.#last)];
  }
}

/** Yields the bytes of a file, and updates its size and CRC-32. */
async function* measured(
  content: AsyncIterable<Uint8Array | string>,
  sum: { size: number; crc32: number },
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    sum.size += bytes.byteLength;
    sum.crc32 = crc32(bytes, sum.crc32);
    if (bytes.byteLength > 0) yield bytes;
  }
}

async function* deflated(content: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const first: Uint8Array[] = [];
  let size = 0;
  let next = await content.next();
  for (; !next.done && size <= small; next = await content.next()) {
    first.push(next.value);
    size += next.value.byteLength;
  }
  if (next.done) {
    yield deflateRawSync(Buffer.concat(first));
    return;
  }
  first.push(next.value);
  const deflate = createDeflateRaw();
  // `pipeline` ends both streams if either fails or the caller stops reading. The callback ignores
  // the error, because the loop below throws it.
  pipeline(Readable.from(joined(first, content), { highWaterMark: 1 }), deflate, () => undefined);
  try {
    for await (const piece of deflate) yield piece as Buffer;
  } finally {
    await content.return(undefined); // needed if `deflate` ended before it read `content`
  }
}

async function* joined<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first;
  yield* rest;
}
