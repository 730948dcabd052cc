import type { Container, Identity, ImageTrack } from '../core/library/identity.ts';
import type { ImageHashes, TrackedHashes } from '../core/library/library-file.ts';
import { isCartridge } from '../core/library/packed.ts';
import { chdImages } from './containers/chd.ts';
import { wiaPieces } from './containers/wia/disc-pieces.ts';
import { firstMemberPieces } from './containers/zip.ts';
import { type HashWatch, hashDump, hashStream } from './hash-stream.ts';
import { hashingTracks } from './hash-tracks.ts';
import { openDisc } from './identify.ts';
import { type ImageBytes, MAX_READ } from './image-bytes.ts';
import { type ImageFile, openImageFile } from './image-file.ts';
import { readAhead } from './read-ahead.ts';

/** Pieces that the processor's caches hold; larger ones of what is unpacked to memory take a tenth longer. */
const CHD_PIECE = 256 * 1024;

/**
 * Hashes what the DATs list, in one pass: the image inside a CSO, ZSO, DAX, CHD, GCZ, WBFS, CISO, WDF, RVZ or WIA, the
 * first member of a zip (checked against its CRC-32), else the file itself. Each track of a CD in a CHD, and of a plain
 * image that is said to hold several, is hashed as a file of its own, and `tracks` has all of them; the hashes of a CHD are those of the track that tells what
 * the disc is. `onBytes` is told every piece's length, of the uncompressed image. Throws a refused `CatalogError` when the
 * file is damaged, the system's error when it cannot be read, and the signal's reason when it is aborted.
 */
export async function hashImage(
  path: string,
  identity: Pick<Identity, 'container'> & Partial<Pick<Identity, 'tracks'>>,
  options: HashWatch = {},
): Promise<TrackedHashes> {
  options.signal?.throwIfAborted();
  const file = await openImageFile(path);
  try {
    if (identity.container === 'chd') return await hashChd(file, options);
    const { tracks = [] } = identity;
    if (tracks.length > 1) {
      const hashed: ImageTrack[] = [];
      const pieces = hashingTracks(imagePieces(file), tracks, hashed);
      return { ...(await hashStream(pieces, options)), tracks: hashed };
    }
    if (isCartridge(identity)) return await hashDump(imagePieces(file), file.size, options);
    return await hashStream(await piecesOf(file, identity), options);
  } finally {
    await file.close();
  }
}

async function hashChd(file: ImageFile, options: HashWatch): Promise<TrackedHashes> {
  const { tracks, images, deciding } = await chdImages(readAhead(file));
  const all: ImageHashes[] = [];
  for (const image of images) {
    all.push(await hashStream(imagePieces(image, CHD_PIECE), options));
  }
  const hashes = all[deciding] as ImageHashes;
  if (tracks.length === 0) return hashes;
  const hashed = tracks.map(({ number, isAudio }, i) => {
    const { size, ...own } = all[i] as ImageHashes;
    return { number, isAudio, size, hashes: own };
  });
  return { ...hashes, tracks: hashed };
}

/** What `openDisc` unpacks, and which holds one image. */
const inBlocks: readonly Container[] = ['cso', 'zso', 'dax', 'gcz', 'wbfs', 'ciso', 'wdf'];

async function piecesOf(file: ImageFile, { container }: Pick<Identity, 'container'>) {
  if (container === 'zip') return firstMemberPieces(file);
  if (container === 'rvz' || container === 'wia') return wiaPieces(file);
  if (!inBlocks.includes(container)) return imagePieces(file);
  return imagePieces((await openDisc(readAhead(file), container)) ?? file);
}

async function* imagePieces(image: ImageBytes, most = MAX_READ): AsyncGenerator<Buffer> {
  for (let at = 0; at < image.size; at += most) {
    yield await image.read(at, Math.min(most, image.size - at));
  }
}
