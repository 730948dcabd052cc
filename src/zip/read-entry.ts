import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { refused } from '../core/shared/errors.ts';
import { MAX_BYTES_PER_READ, type ZipBytes } from './zip-bytes.ts';
import { type ZipEntry, zipProblem } from './zip-entries.ts';

const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER_MAGIC = 0x04034b50;
const DEFLATED = 8;
const INFLATED_PIECE = 256 * 1024;
/** Size in bytes of the pieces for callers that read only the start of a file. */
const SPARING_PIECE = 8 * 1024;

/**
 * Maximum size, in bytes, of a file that is inflated in one call. Creating a stream for each of
 * thousands of small files would be far slower.
 */
const SMALL = 64 * 1024;

/** Options for reading a file in a zip. */
interface ReadOptions {
  /** If true, reads small pieces, one at a time, because only the start of the file is needed. */
  readonly readsOnlyStart?: boolean;
  /** If true, skips the CRC-32 check, because the caller calculates a checksum. */
  readonly skipsChecksum?: boolean;
}

/**
 * Returns the reason why a file in a zip cannot be read, or null if the file can be read. In the
 * reason, "it" means the file.
 */
export function unreadableReason({ isEncrypted, method }: ZipEntry): string | null {
  if (isEncrypted) return 'it is encrypted: unpack it first';
  if (method === 0 || method === DEFLATED) return null;
  return `its compression (method ${method}) is not known: unpack it first`;
}

/**
 * Yields the content of one file in a zip, in pieces of at most `MAX_BYTES_PER_READ` bytes. The
 * size and the CRC-32 of the content are compared with the zip's directory. More bytes than the
 * stated size are never yielded. Throws a `CatalogError` of kind `refused` if the file is damaged
 * or cannot be read. Errors from reading the zip's bytes are rethrown.
 *
 * Source: PKWARE APPNOTE 6.3.10, 4.3.7 (local header).
 */
export async function* readZipEntry(
  bytes: ZipBytes,
  entry: ZipEntry,
  { readsOnlyStart = false, skipsChecksum = false }: ReadOptions = {},
): AsyncGenerator<Buffer> {
  const reason = unreadableReason(entry);
  if (reason !== null) throw refused(reason);
  let size = 0;
  let sum = 0;
  for await (const piece of readUnpacked(bytes, entry, readsOnlyStart)) {
    size += piece.length;
    if (size > entry.size) throw refused(tooLong);
    if (!skipsChecksum) sum = crc32(piece, sum);
    yield piece;
  }
  if (size < entry.size) throw refused('it is damaged: it holds fewer bytes than it says');
  if (!skipsChecksum && sum !== entry.crc32) throw refused(checksumMismatch);
}

const tooLong = 'it is damaged: it holds more bytes than it says';

/** Error message for content whose CRC-32 differs from the stated CRC-32. */
export const checksumMismatch = 'it is damaged: its checksum (CRC-32) does not match';

async function* readUnpacked(
  bytes: ZipBytes,
  entry: ZipEntry,
  readsOnlyStart: boolean,
): AsyncGenerator<Buffer> {
  const start = await dataStart(bytes, entry);
  const pieceBytes = readsOnlyStart ? SPARING_PIECE : MAX_BYTES_PER_READ;
  const packed = piecesOf(bytes, start, start + entry.packedSize, pieceBytes);
  if (entry.method !== DEFLATED) {
    yield* packed;
    return;
  }
  if (Math.max(entry.packedSize, entry.size) <= SMALL) {
    yield inflateAtOnce(await bytes.read(start, entry.packedSize), entry.size);
    return;
  }
  const inflate = createInflateRaw({
    chunkSize: readsOnlyStart ? SPARING_PIECE : pieceOf(entry.size),
    ...(readsOnlyStart ? { highWaterMark: 1 } : {}),
  });
  // `pipeline` ends both streams if either fails or the caller stops reading. The callback ignores
  // the error, because the loop below throws it.
  pipeline(Readable.from(packed, { highWaterMark: 1 }), inflate, () => undefined);
  try {
    for await (const piece of inflate) yield piece as Buffer;
  } catch (error) {
    throw isDamage(error) ? zipProblem(error) : error;
  }
}

function inflateAtOnce(packed: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw refused(tooLong);
    throw isDamage(error) ? zipProblem(error) : error;
  }
}

/**
 * Returns the size, in bytes, of the pieces for inflating a file of `size` bytes. zlib allocates
 * whole pieces, which are freed late, so a small file gets smaller pieces.
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
  pieceBytes: number,
): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += pieceBytes) {
    yield await bytes.read(at, Math.min(pieceBytes, end - at));
  }
}

const damageCodes: readonly unknown[] = ['Z_DATA_ERROR', 'Z_BUF_ERROR', 'Z_NEED_DICT'];

/**
 * Returns true if the error means that zlib's input is damaged. Other errors are failures of the
 * system, such as too little memory (zlib.h).
 */
function isDamage(error: unknown): error is Error {
  return error instanceof Error && damageCodes.includes((error as NodeJS.ErrnoException).code);
}
