import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, readUpTo } from '../../image-bytes.ts';
import { pullImage } from '../../unpack/stream-image.ts';
import { addMember, hex32, MAX_START_BYTES, type MemberList } from './members.ts';
import { isTar } from './tar.ts';

const NAME_FLAG = 8;
const EXTRA_FLAG = 4;
const MAX_HEADER_BYTES = 1024;
const MIN_SIZE = 18;
const PIECE = 256 * 1024;
const SMALL_PIECE = 8 * 1024;

/**
 * Adds the member of a gzip file to the list. The name comes from the header. The CRC-32 and the
 * size come from the last 8 bytes. Adds nothing for a packed tar, because only unpacking shows the
 * tar's members.
 *
 * The stated size is modulo 4 GiB. In a file with several parts, the stated size covers only the
 * last part. Adds nothing if the stated size is impossible. Throws a `CatalogError` of kind
 * `refused` if the file is truncated.
 *
 * Source: RFC 1952.
 */
export async function listGz(file: ImageBytes, list: MemberList): Promise<void> {
  if (file.size < MIN_SIZE) throw refused('it is cut: it is shorter than any gzip file');
  if (await containsTar(file)) return;
  const name = nameIn(await readUpTo(file, 0, MAX_HEADER_BYTES));
  const end = await file.read(file.size - 8, 8);
  const size = end.readUInt32LE(4);
  // Incompressible data grows slightly when it is packed. If the file is even longer, the stated
  // size is not the real size: it is modulo 4 GiB, or covers only the last part.
  if (file.size > size + size / 1000 + MAX_HEADER_BYTES) return;
  const openStart = async () =>
    pullImage(gunzipped(file, true), size, { maxBytes: MAX_START_BYTES });
  addMember(list, { name, size, crc32: hex32(end.readUInt32LE(0)), openStart });
}

async function containsTar(file: ImageBytes): Promise<boolean> {
  for await (const piece of gunzipped(file, true)) return isTar(piece);
  return false;
}

/**
 * Yields the unpacked content of a gzip file. If the file has several parts, yields their contents
 * one after another. Throws a `CatalogError` of kind `refused` if the file is damaged. If
 * `isSparing` is true, uses small buffers, for a caller that reads only the start.
 */
export async function* gunzipped(file: ImageBytes, isSparing = false): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({
    chunkSize: isSparing ? SMALL_PIECE : PIECE,
    ...(isSparing ? { highWaterMark: 1 } : {}),
  });
  const packed = Readable.from(piecesOf(file, isSparing ? SMALL_PIECE : PIECE), {
    highWaterMark: 1,
  });
  // If either stream fails or the loop below stops early, `pipeline` ends both streams. The
  // callback ignores the error, because the loop throws the same error.
  pipeline(packed, gunzip, () => undefined);
  try {
    for await (const piece of gunzip) yield piece as Buffer;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') && code !== 'Z_MEM_ERROR') {
      throw refused(`it is damaged: ${(error as Error).message}`, error);
    }
    throw error;
  }
}

async function* piecesOf(file: ImageBytes, maxBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.size; at += maxBytes) {
    yield await file.read(at, Math.min(maxBytes, file.size - at));
  }
}

function nameIn(head: Buffer): string {
  const flags = head[3] ?? 0;
  if ((flags & NAME_FLAG) === 0) return '';
  const start = 10 + ((flags & EXTRA_FLAG) === 0 ? 0 : 2 + head.readUInt16LE(10));
  const end = head.indexOf(0, start);
  return end < 0 ? '' : head.toString('latin1', start, end);
}
