import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { refused } from '../core/shared/errors.ts';
import { MOST_BYTES_PER_READ, type ZipBytes } from './zip-bytes.ts';
import { type ZipEntry, zipProblem } from './zip-entries.ts';

const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER_MAGIC = 0x04034b50;
const DEFLATED = 8;
const INFLATED_PIECE = 256 * 1024;
/** Piece size for callers that want only the start. */
const SPARING_PIECE = 8 * 1024;

/**
 * Files up to this size are inflated at once: a stream for each of thousands of small files would
 * be far slower.
 */
const SMALL = 64 * 1024;

/** Options for reading a file in a zip. */
interface Reading {
  /** Read in small pieces, one at a time, because only the start is wanted. */
  readonly isSparing?: boolean;
  /** Skip the CRC-32 check, because the caller calculates a checksum anyway. */
  readonly isUnchecked?: boolean;
}

/** Returns why a file in a zip cannot be read, as a sentence about "it"; null if it can. */
export function whyUnreadable({ isEncrypted, method }: ZipEntry): string | null {
  if (isEncrypted) return 'it is encrypted: unpack it first';
  if (method === 0 || method === DEFLATED) return null;
  return `its compression (method ${method}) is not known: unpack it first`;
}

/**
 * Yields the bytes of one file in a zip, in pieces of at most `MOST_BYTES_PER_READ`. They are
 * checked against the size and CRC-32 in the directory, and never exceed the size. Throws a refused
 * `CatalogError` when the file cannot be read or is damaged, and errors from reading the bytes.
 *
 * Source: PKWARE APPNOTE 6.3.10, 4.3.7 (local header).
 */
export async function* readZipEntry(
  bytes: ZipBytes,
  entry: ZipEntry,
  { isSparing = false, isUnchecked = false }: Reading = {},
): AsyncGenerator<Buffer> {
  const reason = whyUnreadable(entry);
  if (reason !== null) throw refused(reason);
  let size = 0;
  let sum = 0;
  for await (const piece of unpacked(bytes, entry, isSparing)) {
    size += piece.length;
    if (size > entry.size) throw refused(tooLong);
    if (!isUnchecked) sum = crc32(piece, sum);
    yield piece;
  }
  if (size < entry.size) throw refused('it is damaged: it holds fewer bytes than it says');
  if (!isUnchecked && sum !== entry.crc32) throw refused(otherSum);
}

const tooLong = 'it is damaged: it holds more bytes than it says';

/** Error text for data whose CRC-32 is not the stated one. */
export const otherSum = 'it is damaged: its checksum (CRC-32) does not match';

async function* unpacked(
  bytes: ZipBytes,
  entry: ZipEntry,
  isSparing: boolean,
): AsyncGenerator<Buffer> {
  const start = await dataStart(bytes, entry);
  const most = isSparing ? SPARING_PIECE : MOST_BYTES_PER_READ;
  const packed = piecesOf(bytes, start, start + entry.packedSize, most);
  if (entry.method !== DEFLATED) {
    yield* packed;
    return;
  }
  if (Math.max(entry.packedSize, entry.size) <= SMALL) {
    yield inflatedAtOnce(await bytes.read(start, entry.packedSize), entry.size);
    return;
  }
  const inflate = createInflateRaw({
    chunkSize: isSparing ? SPARING_PIECE : pieceOf(entry.size),
    ...(isSparing ? { highWaterMark: 1 } : {}),
  });
  // Ends both streams when either fails or the consumer stops reading. The loop below throws the
  // error.
  pipeline(Readable.from(packed, { highWaterMark: 1 }), inflate, () => undefined);
  try {
    for await (const piece of inflate) yield piece as Buffer;
  } catch (error) {
    throw isDamage(error) ? zipProblem(error) : error;
  }
}

function inflatedAtOnce(packed: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw refused(tooLong);
    throw isDamage(error) ? zipProblem(error) : error;
  }
}

/**
 * Returns the piece size for a file. A small file gets less than the usual size, because zlib
 * allocates a piece in full and it is freed late.
 */
function pieceOf(size: number): number {
  return Math.min(INFLATED_PIECE, Math.max(SPARING_PIECE, size));
}

async function dataStart(bytes: ZipBytes, { headerOffset, packedSize }: ZipEntry): Promise<number> {
  const header = await bytes.read(headerOffset, LOCAL_HEADER_BYTES);
  if (header.readUInt32LE(0) !== LOCAL_HEADER_MAGIC) {
    throw refused('it is damaged: its header is not where the directory says');
  }
  const nameBytes = header.readUInt16LE(26);
  const extraBytes = header.readUInt16LE(28);
  const start = headerOffset + LOCAL_HEADER_BYTES + nameBytes + extraBytes;
  if (start + packedSize > bytes.size)
    throw refused('it is cut, or damaged: it ends behind the zip');
  return start;
}

async function* piecesOf(
  bytes: ZipBytes,
  start: number,
  end: number,
  most: number,
): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += most) {
    yield await bytes.read(at, Math.min(most, end - at));
  }
}

const damageCodes: readonly unknown[] = ['Z_DATA_ERROR', 'Z_BUF_ERROR', 'Z_NEED_DICT'];

/** Whether zlib found its input damaged, as opposed to running out of memory (zlib.h). */
function isDamage(error: unknown): error is Error {
  return error instanceof Error && damageCodes.includes((error as NodeJS.ErrnoException).code);
}
