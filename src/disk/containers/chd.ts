import { readDisc } from '../disc/read-disc.ts';
import type { Draft } from '../draft.ts';
import { type ImageBytes, sliceOf } from '../image-bytes.ts';
import { FRAME } from './chd/cd-codecs.ts';
import { readChdHeader } from './chd/header.ts';
import { trackImage, wholeImage } from './chd/images.ts';
import { type Chd, openChd } from './chd/open-chd.ts';
import { summing, wrongContent, wrongMetadata } from './chd/stated-sums.ts';
import { type ChdTrack, decidingTracks } from './chd/tracks.ts';
import { sectorsOf } from './read-sheet-tracks.ts';

/**
 * Reads what a CHD's header states, its tracks, and the disc inside, of which only the hunks are unpacked that hold what
 * it says. Throws a refused `CatalogError` when it is damaged, of a version or codec that is not read, or needs a
 * parent, with what it states in the draft.
 */
export async function readChd(file: ImageBytes, draft: Draft): Promise<void> {
  const header = await readChdHeader(file);
  draft.sha1 = header.rawSha1;
  draft.statedSha1 = header.sha1;
  if (header.rawSha1) draft.evidence['CHD raw SHA-1'] = header.rawSha1;
  if (header.sha1) draft.evidence['CHD SHA-1'] = header.sha1;
  draft.evidence['CHD codecs'] = header.codecs.join(', ') || 'none';
  if (header.unitBytes !== FRAME) draft.imageSize = header.size;
  const chd = await openChd(file, header);
  draft.evidence['CHD content'] = contentOf(chd);
  if (chd.tracks.length === 0) {
    await readDisc(wholeImage(chd), draft);
    return;
  }
  draft.tracks = chd.tracks.map(({ number, isAudio, frames, sector }) => ({
    number,
    isAudio,
    size: frames * sector,
    hashes: null,
  }));
  await readTracks(chd, draft);
}

/** Everything in a CHD that is hashed by itself. */
export interface ChdImages {
  readonly tracks: readonly ChdTrack[];
  /** The tracks, as files of their own, or the one image. */
  readonly images: readonly ImageBytes[];
  /** The place in the list of that which tells what the disc is. */
  readonly deciding: number;
  /**
   * What is wrong by what the header states, as a sentence about "it", or null; of the one image by its SHA-1, of tracks
   * with `verify` alone. To be called when all images were read, in their order.
   */
  findDamage(sha1: string): Promise<string | null>;
}

/** Opens what is in a CHD. With `verify` everything that its header states of it is compared. */
export async function chdImages(file: ImageBytes, { verify = false } = {}): Promise<ChdImages> {
  const header = await readChdHeader(file);
  const opened = await openChd(file, header);
  const { tracks } = opened;
  const ofMetadata = async () => (verify ? wrongMetadata(file, header) : null);
  if (tracks.length === 0) {
    const findDamage = async (sha1: string) => wrongContent(header, sha1) ?? ofMetadata();
    return { tracks, images: [wholeImage(opened)], deciding: 0, findDamage };
  }
  const [main] = decidingTracks(tracks);
  const deciding = main ? tracks.indexOf(main) : 0;
  const summed = verify ? summing(opened) : null;
  return {
    tracks,
    images: tracks.map((track) => trackImage(summed?.chd ?? opened, track)),
    deciding,
    async findDamage() {
      return (summed && wrongContent(header, await summed.end())) ?? ofMetadata();
    },
  };
}

/** The disc in a CHD as an image with 2048-byte sectors. */
export async function openChdDisc(file: ImageBytes): Promise<ImageBytes> {
  const chd = await openChd(file, await readChdHeader(file));
  const [track] = decidingTracks(chd.tracks);
  return track === undefined ? wholeImage(chd) : sectorsIn(chd, track);
}

function contentOf({ tracks }: Chd): string {
  if (tracks.length === 0) return 'DVD or other';
  const kinds = tracks.map((track) => (track.isAudio ? 'audio' : 'data'));
  return `CD: ${kinds.join(', ')}`;
}

/** Of a disc of sound alone, tracks behind the first that may hold a Jaguar's data. */
const MOST_SESSION_STARTS = 3;

/** From the first track that tells what the disc is. */
async function readTracks(chd: Chd, draft: Draft): Promise<void> {
  const tracks = decidingTracks(chd.tracks);
  const [main] = tracks;
  draft.imageSize = main ? main.frames * main.sector : null;
  const data = tracks.filter(({ isAudio }) => !isAudio);
  const asked = data.length > 0 ? data : chd.tracks.slice(1, 1 + MOST_SESSION_STARTS);
  for (const track of asked) {
    await readDisc(await sectorsIn(chd, track), draft);
    if (draft.disc === null) continue;
    draft.evidence['data track'] = String(track.number);
    return;
  }
}

/** From behind the pregap. */
async function sectorsIn(chd: Chd, track: ChdTrack): Promise<ImageBytes> {
  const image = trackImage(chd, track);
  const start = track.pregap * track.sector;
  return sectorsOf(sliceOf(image, start, image.size - start), track.sector);
}
