import { readDisc } from '../../disc/read-disc.ts';
import type { Draft } from '../../draft.ts';
import { type ImageBytes, sliceOf } from '../../image-bytes.ts';
import { sectorsOf } from '../sheets/read-sheet-tracks.ts';
import { FRAME } from './cd-codecs.ts';
import { readChdHeader } from './header.ts';
import { trackImage, wholeImage } from './images.ts';
import { type Chd, openChd } from './open-chd.ts';
import { contentProblem, hashingChd, metadataProblem } from './stated-sums.ts';
import { type ChdTrack, decidingTracks } from './tracks.ts';

/**
 * Identifies a CHD. Reads the header, the tracks and the disc into the draft. Unpacks only the
 * hunks that are needed to identify the disc.
 *
 * Throws a `CatalogError` of kind `refused` if the CHD is damaged, has an unsupported version or
 * codec, or needs a parent. After such an error, the draft contains what the header states.
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

/** The images in a CHD. Each image is hashed separately. */
export interface ChdImages {
  readonly tracks: readonly ChdTrack[];
  /** One image for each track, or a single image if the CHD is not a CD. */
  readonly images: readonly ImageBytes[];
  /** Index in `images` of the image that identifies the disc. */
  readonly deciding: number;
  /**
   * Returns how the content contradicts the header, or null if the content matches. The text is a
   * sentence in which "it" is the CHD. `sha1` is the SHA-1 of the deciding image. The content of a
   * single image is always compared. The content of tracks is compared only with `verify`. Must be
   * called only after all images were read completely and in order.
   */
  findDamage(sha1: string): Promise<string | null>;
}

/**
 * Opens the images in a CHD. With `verify`, `findDamage` compares the content with everything that
 * the header states.
 */
export async function openChdImages(file: ImageBytes, { verify = false } = {}): Promise<ChdImages> {
  const header = await readChdHeader(file);
  const opened = await openChd(file, header);
  const { tracks } = opened;
  const ofMetadata = async () => (verify ? metadataProblem(file, header) : null);
  if (tracks.length === 0) {
    const findDamage = async (sha1: string) => contentProblem(header, sha1) ?? ofMetadata();
    return { tracks, images: [wholeImage(opened)], deciding: 0, findDamage };
  }
  const [main] = decidingTracks(tracks);
  const deciding = main ? tracks.indexOf(main) : 0;
  const summed = verify ? hashingChd(opened) : null;
  return {
    tracks,
    images: tracks.map((track) => trackImage(summed?.chd ?? opened, track)),
    deciding,
    async findDamage() {
      return (summed && contentProblem(header, await summed.end())) ?? ofMetadata();
    },
  };
}

/** Opens the disc in a CHD as an image with 2048-byte sectors. */
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

/**
 * Maximum number of tracks after the first that are read on an audio-only disc. These tracks may
 * contain the data of a Jaguar disc.
 */
const MAX_SESSION_STARTS = 3;

/** Reads the disc from one track after another, until a track identifies the disc. */
async function readTracks(chd: Chd, draft: Draft): Promise<void> {
  const tracks = decidingTracks(chd.tracks);
  const [main] = tracks;
  draft.imageSize = main ? main.frames * main.sector : null;
  const data = tracks.filter(({ isAudio }) => !isAudio);
  const candidates = data.length > 0 ? data : chd.tracks.slice(1, 1 + MAX_SESSION_STARTS);
  for (const track of candidates) {
    await readDisc(await sectorsIn(chd, track), draft);
    if (draft.disc === null) continue;
    draft.evidence['data track'] = String(track.number);
    return;
  }
}

/** Returns the sectors of a track without its pregap. */
async function sectorsIn(chd: Chd, track: ChdTrack): Promise<ImageBytes> {
  const image = trackImage(chd, track);
  const start = track.pregap * track.sector;
  return sectorsOf(sliceOf(image, start, image.size - start), track.sector);
}
