import { readDisc } from '../disc/read-disc.ts';
import type { Draft } from '../draft.ts';
import { type ImageBytes, sliceOf } from '../image-bytes.ts';
import { FRAME } from './chd/cd-codecs.ts';
import { readChdHeader } from './chd/header.ts';
import { trackImage, wholeImage } from './chd/images.ts';
import { type Chd, openChd } from './chd/open-chd.ts';
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

/**
 * Everything in a CHD that is hashed by itself: the tracks, as files of their own, or the one image. `deciding` is the
 * place in the list of that which tells what the disc is.
 */
export async function chdImages(
  file: ImageBytes,
): Promise<{ tracks: readonly ChdTrack[]; images: ImageBytes[]; deciding: number }> {
  const chd = await openChd(file, await readChdHeader(file));
  const { tracks } = chd;
  if (tracks.length === 0) return { tracks, images: [wholeImage(chd)], deciding: 0 };
  const images = tracks.map((track) => trackImage(chd, track));
  const [main] = decidingTracks(tracks);
  return { tracks, images, deciding: main ? tracks.indexOf(main) : 0 };
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

/** From the first track that tells what the disc is. */
async function readTracks(chd: Chd, draft: Draft): Promise<void> {
  const tracks = decidingTracks(chd.tracks);
  const [main] = tracks;
  draft.imageSize = main ? main.frames * main.sector : null;
  for (const track of tracks.filter(({ isAudio }) => !isAudio)) {
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
