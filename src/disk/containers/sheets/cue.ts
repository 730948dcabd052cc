import type { SheetFile } from '../../../core/library/identity.ts';
import type { DataTrack, Sheet } from './sheet.ts';

const FRAMES_PER_SECOND = 75;
const MAX_TRACKS = 99;
const AUDIO = 2352;

/** A track of a cue sheet. `pregap` and `start` are set when the track's `INDEX` lines are read. */
interface Track {
  readonly number: number;
  /** Bytes per sector. Null if the track's mode is unknown. */
  readonly sector: number | null;
  readonly isAudio: boolean;
  /**
   * Starts of the track's pregap and of the track itself, in frames from the start of the file.
   * Null until known. `pregap` stays null if the file does not contain the pregap.
   */
  pregap: number | null;
  start: number | null;
}

/**
 * Maximum number of tracks after the first that are tried on an audio-only disc. The second session
 * may begin with one of these tracks.
 */
const MAX_SESSION_STARTS = 3;

interface File {
  readonly name: string;
  readonly isBinary: boolean;
  readonly tracks: Track[];
}

/**
 * Parses a cue sheet. Returns null if the lines are not a cue sheet. Reads only `FILE`, `TRACK`,
 * `INDEX 00` and `INDEX 01`. If a track's pregap is in the same file as the track, the track starts
 * with the pregap. Redump splits discs into files in the same way.
 *
 * Source: CDRWIN's user guide, appendix "CUE Sheet commands". Examples of the lines are `FILE
 * "name" BINARY`, `TRACK 01 MODE2/2352` and `INDEX 01 mm:ss:ff`. Times are counted from the start
 * of the file, with 75 frames per second.
 */
export function cueSheet(lines: readonly string[]): Sheet | null {
  const files: File[] = [];
  let track: Track | null = null;
  for (const line of lines) {
    const named = /^FILE\s+(?:"([^"]*)"|(\S+))\s*(\S*)/i.exec(line);
    if (named) {
      files.push({
        name: named[1] ?? named[2] ?? '',
        isBinary: /^(?:BINARY)?$/i.test(named[3] ?? ''),
        tracks: [],
      });
      if (track !== null) track.pregap = null;
    }
    if (files.length === 0) continue;
    const begun = /^TRACK\s+(\d{1,2})\s+(\S+)/i.exec(line);
    if (begun) track = newTrack(Number(begun[1]), begun[2] ?? '');
    const index = /^INDEX\s+0?([01])\s+(\d{1,3}):(\d{1,2}):(\d{1,2})$/i.exec(line);
    if (index === null || track === null || track.start !== null) continue;
    const [minutes = 0, seconds = 0, frames = 0] = index.slice(2).map(Number);
    const at = (minutes * 60 + seconds) * FRAMES_PER_SECOND + frames;
    if (index[1] === '0') track.pregap = at;
    else {
      track.start = at;
      files.at(-1)?.tracks.push(track);
    }
  }
  if (track === null) return null;
  const tracks = files.flatMap(tracksIn);
  const dataTracks = tracks.filter(({ isAudio }) => !isAudio);
  const later = tracks.slice(1, 1 + MAX_SESSION_STARTS);
  return {
    files: files.map(toSheetFile),
    // Sheets describe all tracks of a Jaguar disc as audio, even tracks that contain data. If there
    // are no data tracks, try some tracks after the first.
    dataTracks: dataTracks.length > 0 ? dataTracks : later,
  };
}

function newTrack(number: number, mode: string): Track {
  const isAudio = /^AUDIO$/i.test(mode);
  const data = /^(?:MODE[12]|CDI)\/(2048|2336|2352)$/i.exec(mode);
  const sector = data ? Number(data[1]) : isAudio ? AUDIO : null;
  return { number, isAudio, sector, pregap: null, start: null };
}

function toSheetFile({ name, isBinary, tracks }: File): SheetFile {
  // If audio is compressed or a sector length is unknown, the start of the next track cannot be
  // calculated. The file then gets no tracks.
  const isKnown = isBinary && tracks.every(({ sector }) => sector !== null);
  return { name, tracks: isKnown ? placed(tracks).slice(0, MAX_TRACKS) : [] };
}

function tracksIn({ name, isBinary, tracks }: File): DataTrack[] {
  return placed(tracks).flatMap(({ sector, isAudio, at }) =>
    sector === null || (isAudio && !isBinary) ? [] : [{ file: name, sector, start: at, isAudio }],
  );
}

/**
 * Calculates the offset in bytes at which each track of a file starts. Tracks may have different
 * sector lengths. The sectors of each earlier track are therefore counted in that track's length.
 */
function placed(tracks: readonly Track[]) {
  let frame = 0;
  let byte = 0;
  let sector = tracks[0]?.sector ?? 0;
  return tracks.map((track) => {
    const begin = track.pregap ?? track.start ?? 0;
    const start = byte + (begin - frame) * sector;
    [frame, byte, sector] = [begin, start, track.sector ?? sector];
    const at = start + ((track.start ?? 0) - begin) * sector;
    return { number: track.number, isAudio: track.isAudio, sector: track.sector, start, at };
  });
}
