import { tmpdir } from 'node:os';
import { isCartridge } from '../../core/library/container-kinds.ts';
import type { Container } from '../../core/library/containers.ts';
import type { Identity, ImageTrack } from '../../core/library/identity.ts';
import type { ImageHashes, TrackedHashes } from '../../core/library/library-file.ts';
import { isArchive } from '../containers/archives/read-archive.ts';
import type { DiscImages, UndividedFormat } from '../containers/container-format.ts';
import { formatOf } from '../containers/container-readers.ts';
import { openWithParts } from '../containers/split-images.ts';
import { type ImageBytes, piecesInOneBuffer, piecesOf } from '../image-bytes.ts';
import { readAhead } from '../read-ahead.ts';
import { hashArchive } from './hash-archive.ts';
import { type HashWatch, hashDump, hashStream } from './hash-stream.ts';
import { hashingTracks } from './hash-tracks.ts';

/**
 * Size, in bytes, of the pieces in which the images of a CHD, NRG or CDI are hashed. Pieces of this
 * size fit the processor's caches. Larger pieces are slower.
 */
const CHD_PIECE = 256 * 1024;

/**
 * Hashes the content that DATs list, in one pass:
 * - for a container of one image, such as CSO, CHD, RVZ or PBP, the image inside;
 * - for an archive, every file inside;
 * - for any other file, the file itself.
 *
 * Each track of a CHD, NRG or CDI is hashed separately. Each track of a plain image is also hashed
 * separately if `identity` lists several tracks. `tracks` of the result contains the hashes of the
 * tracks. The other hashes of a CHD, NRG or CDI are those of the track that identifies the disc.
 *
 * `spool` is a folder for temporary files. A packed image in an archive is unpacked there if it
 * needs random access. `onBytes` is called with the length of every hashed piece. Throws a
 * `CatalogError` of kind `refused` if the file is damaged, and the operating system's error if the
 * file cannot be read. Throws the signal's reason if `signal` is aborted.
 */
export async function hashImage(
  path: string,
  identity: Pick<Identity, 'container'> & Partial<Pick<Identity, 'tracks'>>,
  options: HashWatch & { spool?: string } = {},
): Promise<TrackedHashes> {
  options.signal?.throwIfAborted();
  const file = await openWithParts(path);
  try {
    const { container, tracks = [] } = identity;
    if (isArchive(container)) {
      return await hashArchive(path, file, container, {
        hash: (pieces, size) =>
          size === Infinity ? hashStream(pieces, options) : hashDump(pieces, size, options),
        openPacked: async (inner, kind) => {
          const line = formatOf(kind);
          return line.access === 'sequential' ? line.open(inner) : null;
        },
        piecesOf,
        needsFile: (kind) => formatOf(kind).access === 'random',
        hashFile: (inner, kind) => hashFile(inner, kind, options),
        spool: options.spool ?? tmpdir(),
      });
    }
    const line = formatOf(container);
    if (tracks.length > 1 && !line.tracks) {
      const hashed: ImageTrack[] = [];
      const pieces = hashingTracks(await unpackedPieces(file, line), tracks, hashed);
      return { ...(await hashStream(pieces, options)), tracks: hashed };
    }
    return await hashFile(file, container, options);
  } finally {
    await file.close();
  }
}

async function hashFile(
  file: ImageBytes,
  container: Container,
  options: HashWatch,
): Promise<TrackedHashes> {
  const line = formatOf(container);
  if (line.tracks) return hashDisc(await line.tracks(readAhead(file), options), options);
  if (isCartridge({ container })) return hashDump(piecesInOneBuffer(file), file.size, options);
  return hashStream(await unpackedPieces(file, line), options);
}

async function hashDisc(
  { tracks, images, deciding, findDamage }: DiscImages,
  options: HashWatch,
): Promise<TrackedHashes> {
  const all: ImageHashes[] = [];
  for (const image of images) {
    all.push(await hashStream(piecesInOneBuffer(image, CHD_PIECE), options));
  }
  const own = all[deciding] as ImageHashes;
  const damage = await findDamage?.(own.sha1);
  const hashes: TrackedHashes = damage ? { ...own, damage } : own;
  if (tracks.length === 0) return hashes;
  const hashed = tracks.map(({ number, isAudio }, i) => {
    const { size, ...own } = all[i] as ImageHashes;
    return { number, isAudio, size, hashes: own };
  });
  return { ...hashes, tracks: hashed };
}

async function unpackedPieces(file: ImageBytes, line: UndividedFormat) {
  if (!line.packed) return piecesInOneBuffer(file);
  if (line.pieces) return line.pieces(file);
  return piecesInOneBuffer(await line.open(readAhead(file)));
}
