import { refused } from '../../../core/shared/errors.ts';
import { readDisc } from '../../disc/read-disc.ts';
import type { Draft } from '../../draft.ts';
import { type ImageBytes, sliceOf } from '../../image-bytes.ts';
import { sectorsOf } from '../sheets/read-sheet-tracks.ts';
import { strided } from './strided.ts';

/** The position of a track in its file. */
export interface FileTrack {
  readonly number: number;
  readonly isAudio: boolean;
  /** Offset of the track in the file, in bytes. */
  readonly offset: number;
  readonly frames: number;
  /**
   * `stride` is the length of a sector in the file, in bytes. The first `sector` bytes of each
   * sector belong to the track. Subchannels may follow.
   */
  readonly stride: number;
  readonly sector: number;
  /** Number of frames of the pregap at the start of the track. */
  readonly pregap: number;
}

/**
 * Returns `tracks` if all tracks are possible and inside the file. Otherwise throws a
 * `CatalogError` of kind `refused`. The check is needed because the tables of a file may contain
 * anything.
 */
export function checkTracks(file: ImageBytes, tracks: readonly FileTrack[]): readonly FileTrack[] {
  if (tracks.length === 0 || tracks.length > 99) throw refused('it is damaged: it has no tracks');
  for (const { offset, frames, stride, pregap } of tracks) {
    const isInside =
      Number.isSafeInteger(offset) &&
      offset >= 0 &&
      frames > 0 &&
      offset + frames * stride <= file.size;
    if (!isInside || pregap >= frames) {
      throw refused('it is damaged or cut: its tracks are longer than it is');
    }
  }
  return tracks;
}

/**
 * Adds the tracks to the draft. Reads the disc from one data track after another, until a track
 * identifies the disc.
 */
export async function readTracks(
  file: ImageBytes,
  tracks: readonly FileTrack[],
  draft: Draft,
): Promise<void> {
  draft.tracks = tracks.map(({ number, isAudio, frames, sector }) => ({
    number,
    isAudio,
    size: frames * sector,
    hashes: null,
  }));
  const main = tracks[decidingTrack(tracks)];
  draft.imageSize = main ? main.frames * main.sector : null;
  for (const track of tracks.filter(({ isAudio }) => !isAudio)) {
    const image = strided(file, track);
    const start = track.pregap * track.sector;
    await readDisc(await sectorsOf(sliceOf(image, start, image.size - start), track.sector), draft);
    if (draft.disc === null) continue;
    draft.evidence['data track'] = String(track.number);
    draft.imageSize = track.frames * track.sector;
    return;
  }
}

/**
 * Returns the tracks, with an image of each track for hashing. `deciding` is the index of the track
 * that identifies the disc: the first data track.
 */
export function trackImages(file: ImageBytes, tracks: readonly FileTrack[]) {
  const images = tracks.map((track) => strided(file, track));
  return { tracks, images, deciding: decidingTrack(tracks) };
}

function decidingTrack(tracks: readonly FileTrack[]): number {
  return Math.max(
    0,
    tracks.findIndex(({ isAudio }) => !isAudio),
  );
}
