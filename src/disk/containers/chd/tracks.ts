import { refused } from '../../../core/shared/errors.ts';
import type { Metadata } from './metadata.ts';

/** A track of a CD or GD-ROM in a CHD. */
export interface ChdTrack {
  readonly number: number;
  readonly isAudio: boolean;
  /**
   * Size of a sector, in bytes. Each sector is stored at the start of its frame. A complete sector
   * has 2352 bytes. Without the parts around the data, a sector has 2048, 2324 or 2336 bytes.
   */
  readonly sector: number;
  /** Index of the track's first frame in the CHD. */
  readonly first: number;
  /**
   * Number of the track's frames, without padding. Includes the pregap if the CHD stores the
   * pregap.
   */
  readonly frames: number;
  /** Number of frames of the pregap at the start of the track. 0 if the pregap is not stored. */
  readonly pregap: number;
  /** True if the track is in the high-density area of a GD-ROM, from which the console boots. */
  readonly isHighDensity: boolean;
}

const MAX_TRACKS = 99;
/** First sector of the high-density area of a GD-ROM. */
const HIGH_DENSITY = 45_000;
/** Every track in a CHD starts at a frame index that is a multiple of `ALIGNMENT`. */
const ALIGNMENT = 4;
const sectors: Readonly<Record<string, number>> = {
  MODE1: 2048,
  MODE1_RAW: 2352,
  MODE2: 2336,
  MODE2_FORM1: 2048,
  MODE2_FORM2: 2324,
  MODE2_FORM_MIX: 2336,
  MODE2_RAW: 2352,
  AUDIO: 2352,
};

/**
 * Returns the tracks that the metadata describes. Returns no tracks if the CHD is not a CD or
 * GD-ROM. Throws a `CatalogError` of kind `refused` if the description is impossible.
 *
 * Source: mamedev/mame `src/lib/util/chd.h` and `cdrom.cpp`. An example of the description of a
 * track is
 * `TRACK:1 TYPE:MODE1_RAW SUBTYPE:NONE FRAMES:500 PREGAP:150 PGTYPE:VMODE1 PGSUB:RW POSTGAP:0`. If
 * `PGTYPE` starts with `V`, the CHD stores the pregap and `FRAMES` includes the pregap. Tracks of a
 * GD-ROM also have `PAD:`, a number of frames of zeros that `FRAMES` includes.
 */
export function tracksOf(metadata: readonly Metadata[]): ChdTrack[] {
  const tracks: ChdTrack[] = [];
  let first = 0;
  let position = 0;
  for (const { tag, text } of metadata) {
    if (tag === 'CHCD') throw refused('it lists its tracks in an old form, which is not read');
    if (!['CHTR', 'CHT2', 'CHGD', 'CHGT'].includes(tag)) continue;
    const isHighDensity = tag.startsWith('CHG') && position >= HIGH_DENSITY;
    const { track, stored } = trackOf(text, { first, isHighDensity });
    if (track.number !== tracks.length + 1 || track.number > MAX_TRACKS) {
      throw refused('it is damaged: its tracks are not in order');
    }
    tracks.push(track);
    first += Math.ceil(stored / ALIGNMENT) * ALIGNMENT;
    position += stored;
  }
  return tracks;
}

function trackOf(
  text: string,
  where: Pick<ChdTrack, 'first' | 'isHighDensity'>,
): { track: ChdTrack; stored: number } {
  const values = new Map([...text.matchAll(/\b(\w+):(\S*)/g)].map((pair) => [pair[1], pair[2]]));
  const number = (name: string) => {
    const value = values.get(name) ?? '0';
    if (!/^\d{1,8}$/.test(value)) throw refused('it is damaged: a track cannot be');
    return Number(value);
  };
  const type = values.get('TYPE') ?? '';
  const sector = sectors[type];
  const stored = number('FRAMES');
  const frames = stored - number('PAD');
  const pregap = values.get('PGTYPE')?.startsWith('V') ? number('PREGAP') : 0;
  if (sector === undefined || frames < 0 || pregap > frames) {
    throw refused('it is damaged: a track cannot be');
  }
  const isAudio = type === 'AUDIO';
  return { track: { number: number('TRACK'), isAudio, sector, frames, pregap, ...where }, stored };
}

/**
 * Returns the data tracks in the order in which they are tried to identify the disc. Tracks of the
 * high-density area come first. For an audio-only disc, returns the first track.
 */
export function decidingTracks(tracks: readonly ChdTrack[]): ChdTrack[] {
  const data = tracks.filter((track) => !track.isAudio);
  const isHigh = (track: ChdTrack) => track.isHighDensity;
  const ordered = [...data.filter(isHigh), ...data.filter((track) => !isHigh(track))];
  return ordered.length > 0 ? ordered : tracks.slice(0, 1);
}
