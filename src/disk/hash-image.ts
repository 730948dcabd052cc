import { tmpdir } from 'node:os';
import type { Container, Identity, ImageTrack } from '../core/library/identity.ts';
import type { ImageHashes, TrackedHashes } from '../core/library/library-file.ts';
import { isCartridge } from '../core/library/packed.ts';
import { isArchive } from './containers/archives/read-archive.ts';
import { cdiTracks } from './containers/cdi.ts';
import { chdImages } from './containers/chd.ts';
import { ecmPieces } from './containers/ecm.ts';
import { nrgTracks } from './containers/nrg.ts';
import { openWithParts } from './containers/parts.ts';
import { openPsxDisc } from './containers/psx-pbp.ts';
import { withoutSubchannels } from './containers/strided.ts';
import { trackImages } from './containers/tracked-image.ts';
import { wiaPieces } from './containers/wia/disc-pieces.ts';
import { hashArchive } from './hash-archive.ts';
import { type HashWatch, hashDump, hashStream } from './hash-stream.ts';
import { hashingTracks } from './hash-tracks.ts';
import { openDisc } from './identify.ts';
import { type ImageBytes, piecesOf, piecesOnce } from './image-bytes.ts';
import { readAhead } from './read-ahead.ts';

/**
 * Size of pieces in bytes that fit the processor's caches; larger pieces of data unpacked in memory
 * are slower.
 */
const CHD_PIECE = 256 * 1024;

/**
 * Hashes what the DATs list, in one pass: the image inside a CSO, ZSO, DAX, CHD, GCZ, WBFS, CISO,
 * WDF, RVZ, WIA or PBP, every file in an archive, otherwise the file itself. `spool` is the folder
 * for packed images in an archive, if these cannot be read sequentially. Each track of a CD in a
 * CHD, and of a plain image that is said to hold several, is hashed as a separate file. `tracks`
 * has all of them; the hashes of a CHD are those of the track that identifies the disc. `onBytes`
 * is called with the length of every piece of the uncompressed image. Throws a refused
 * `CatalogError` when the file is damaged, the system's error when it cannot be read, and the
 * signal's reason when it is aborted.
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
        openPacked: async (inner, kind) =>
          inSequence.includes(kind) ? openDisc(inner, kind) : null,
        piecesOf,
        needsFile: (kind) => hereAndThere.includes(kind),
        hashFile: (inner, kind) => hashFile(inner, kind, options),
        spool: options.spool ?? tmpdir(),
      });
    }
    if (tracks.length > 1 && !inTracks[container]) {
      const hashed: ImageTrack[] = [];
      const pieces = hashingTracks(await unpackedPieces(file, container), tracks, hashed);
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
  const open = inTracks[container];
  if (open) return hashDisc(await open(readAhead(file), options), options);
  if (isCartridge({ container })) return hashDump(piecesOnce(file), file.size, options);
  return hashStream(await unpackedPieces(file, container), options);
}

/** All images that are hashed separately, and the index of the one that identifies the disc. */
interface DiscImages {
  readonly tracks: readonly { readonly number: number; readonly isAudio: boolean }[];
  readonly images: readonly ImageBytes[];
  readonly deciding: number;
  /** See `ChdImages`. */
  findDamage?(sha1: string): Promise<string | null>;
}

/** Openers of files that hold the tracks of a disc and state where they are. */
const inTracks: Partial<
  Record<Container, (file: ImageBytes, options: HashWatch) => Promise<DiscImages>>
> = {
  chd: chdImages,
  nrg: async (file) => trackImages(file, await nrgTracks(file)),
  cdi: async (file) => trackImages(file, await cdiTracks(file)),
};

async function hashDisc(
  { tracks, images, deciding, findDamage }: DiscImages,
  options: HashWatch,
): Promise<TrackedHashes> {
  const all: ImageHashes[] = [];
  for (const image of images) {
    all.push(await hashStream(piecesOnce(image, CHD_PIECE), options));
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

/** Containers with one image that `openDisc` unpacks. */
const inBlocks: readonly Container[] = ['cso', 'zso', 'dax', 'gcz', 'wbfs', 'ciso', 'wdf'];
/** Those of them that are stored in order, after their index. */
const inSequence: readonly Container[] = ['cso', 'zso', 'dax'];
/** Containers that need random access. */
const hereAndThere: readonly Container[] = ['chd', 'gcz', 'wbfs', 'ciso', 'wdf', 'rvz', 'wia'];

async function unpackedPieces(file: ImageBytes, container: Container) {
  if (container === 'pbp') return piecesOnce((await openPsxDisc(file)) ?? file);
  if (container === 'ecm') return ecmPieces(readAhead(file));
  if (container === 'mdf') return piecesOnce(withoutSubchannels(file));
  if (container === 'rvz' || container === 'wia') return wiaPieces(file);
  if (!inBlocks.includes(container)) return piecesOnce(file);
  return piecesOnce((await openDisc(readAhead(file), container)) ?? file);
}
