import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Identity } from '../core/library/identity.ts';
import type { ImageHashes } from '../core/library/library-file.ts';
import { firstMemberPieces } from './containers/zip.ts';
import { openDisc } from './identify.ts';
import { type ImageBytes, MAX_READ } from './image-bytes.ts';
import { type ImageFile, openImageFile } from './image-file.ts';

/**
 * Hashes what the DATs list, in one pass: the image inside a CSO, ZSO or DAX, the first member of a zip (checked
 * against its CRC-32), else the file itself. `onBytes` is told every piece's length, of the uncompressed image. Throws
 * a refused `CatalogError` when the file is damaged, the system's error when it cannot be read, and the signal's reason
 * when it is aborted.
 */
export async function hashImage(
  path: string,
  identity: Pick<Identity, 'container'>,
  options: { signal?: AbortSignal; onBytes?: (bytes: number) => void } = {},
): Promise<ImageHashes> {
  options.signal?.throwIfAborted();
  const file = await openImageFile(path);
  try {
    return await hashPieces(await piecesOf(file, identity), options);
  } finally {
    await file.close();
  }
}

async function piecesOf(file: ImageFile, { container }: Pick<Identity, 'container'>) {
  if (container === 'zip') return firstMemberPieces(file);
  const isPacked = container === 'cso' || container === 'zso' || container === 'dax';
  return imagePieces((isPacked && (await openDisc(file, container))) || file);
}

async function hashPieces(
  pieces: AsyncIterable<Buffer>,
  { signal, onBytes }: { signal?: AbortSignal; onBytes?: (bytes: number) => void },
): Promise<ImageHashes> {
  const md5 = createHash('md5');
  const sha1 = createHash('sha1');
  let sum = 0;
  let size = 0;
  for await (const piece of pieces) {
    signal?.throwIfAborted();
    sum = crc32(piece, sum);
    md5.update(piece);
    sha1.update(piece);
    size += piece.length;
    onBytes?.(piece.length);
  }
  return { size, crc32: hex32(sum), md5: md5.digest('hex'), sha1: sha1.digest('hex') };
}

async function* imagePieces(image: ImageBytes): AsyncGenerator<Buffer> {
  for (let at = 0; at < image.size; at += MAX_READ) {
    yield await image.read(at, Math.min(MAX_READ, image.size - at));
  }
}

const hex32 = (sum: number) => sum.toString(16).padStart(8, '0');
