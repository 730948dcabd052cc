import { tmpdir } from 'node:os';
import { isCartridge } from '../../core/library/container-kinds.ts';
import type { Container, Identity, ImageTrack } from '../../core/library/identity.ts';
import type { ImageHashes, TrackedHashes } from '../../core/library/library-file.ts';
import { isArchive } from '../containers/archives/read-archive.ts';
import { cdiTracks } from '../containers/burners/cdi.ts';
import { ecmPieces } from '../containers/burners/ecm.ts';
import { nrgTracks } from '../containers/burners/nrg.ts';
import { withoutSubchannels } from '../containers/burners/strided.ts';
import { trackImages } from '../containers/burners/tracked-image.ts';
import { chdImages } from '../containers/chd/chd.ts';
import { openPsxDisc } from '../containers/psx-pbp.ts';
import { openWithParts } from '../containers/split-images.ts';
import { wiaPieces } from '../containers/wia/disc-pieces.ts';
import { openDisc } from '../identify.ts';
import { type ImageBytes, piecesOf, piecesOnce } from '../image-bytes.ts';
import { readAhead } from '../read-ahead.ts';
import { hashArchive } from './hash-archive.ts';
import { type HashWatch, hashDump, hashStream } from './hash-stream.ts';
import { hashingTracks } from './hash-tracks.ts';

/**
 * Size, in bytes, of the pieces in which the content of a CHD is hashed. Pieces of this size fit
 * the processor's caches. Larger pieces are slower.
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
 * `spool` is the folder for packed images in an archive that need random access. `onBytes` is
 * called with the length of every hashed piece. Throws a refused `CatalogError` if the file is
 * damaged, and the operating system's error if the file cannot be read. Throws the signal's reason
 * if `signal` is aborted.
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

/**
 * The images of a disc, each of which is hashed separately. `deciding` is the index of the image
 * that identifies the disc.
 */
interface DiscImages {
  readonly tracks: readonly { readonly number: number; readonly isAudio: boolean }[];
  readonly images: readonly ImageBytes[];
  readonly deciding: number;
  /**
   * Compares the content with the header (see `ChdImages.findDamage`). Undefined for containers
   * that state no checksums.
   */
  findDamage?(sha1: string): Promise<string | null>;
}

/**
 * For each container that states the tracks of its disc, a function that opens the tracks' images.
 */
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
/**
 * The containers of `inBlocks` that can be read sequentially. Their index comes first, and their
 * blocks follow in order.
 */
const inSequence: readonly Container[] = ['cso', 'zso', 'dax'];
/** Containers that need random access to be read. */
const hereAndThere: readonly Container[] = ['chd', 'gcz', 'wbfs', 'ciso', 'wdf', 'rvz', 'wia'];

async function unpackedPieces(file: ImageBytes, container: Container) {
  if (container === 'pbp') return piecesOnce((await openPsxDisc(file)) ?? file);
  if (container === 'ecm') return ecmPieces(readAhead(file));
  if (container === 'mdf') return piecesOnce(withoutSubchannels(file));
  if (container === 'rvz' || container === 'wia') return wiaPieces(file);
  if (!inBlocks.includes(container)) return piecesOnce(file);
  return piecesOnce((await openDisc(readAhead(file), container)) ?? file);
}
