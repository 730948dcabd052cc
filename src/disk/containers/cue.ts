import type { SheetFile } from '../../core/library/identity.ts';
import type { DataTrack, Sheet } from './sheet.ts';

const FRAMES_PER_SECOND = 75;
const MOST_TRACKS = 99;
const AUDIO = 2352;

/** A track whose lines are being read. */
interface Track {
  readonly number: number;
  /** Bytes per sector; null if unknown. */
  readonly sector: number | null;
  readonly isAudio: boolean;
  /** Start of its pregap, and of the track itself, in its file. In frames. */
  pregap: number | null;
  start: number | null;
}

/**
 * Maximum number of tracks after the first in which the second session of an audio-only disc may
 * begin.
 */
const MOST_SESSION_STARTS = 3;

interface File {
  readonly name: string;
  readonly isBinary: boolean;
  readonly tracks: Track[];
}

/**
 * Parses a cue sheet; returns null if the lines are not one. Only `FILE`, `TRACK`, `INDEX 00` and
 * `INDEX 01` matter. A track starts with its pregap if that is in the same file, which is how
 * Redump splits a disc into files.
 *
 * Source: CDRWIN's user guide, appendix "CUE Sheet commands": `FILE "name" BINARY`, `TRACK 01
 * MODE2/2352`, `INDEX 01 mm:ss:ff` with 75 frames per second, counted from the start of the file.
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
  const later = tracks.slice(1, 1 + MOST_SESSION_STARTS);
  return {
    files: files.map(toSheetFile),
    // A Jaguar's data is in tracks that are audio to a drive.
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
  // If a sector length is unknown or audio is compressed, the start of the next track is unknown.
  const isKnown = isBinary && tracks.every(({ sector }) => sector !== null);
  return { name, tracks: isKnown ? placed(tracks).slice(0, MOST_TRACKS) : [] };
}

function tracksIn({ name, isBinary, tracks }: File): DataTrack[] {
  return placed(tracks).flatMap(({ sector, isAudio, at }) =>
    sector === null || (isAudio && !isBinary) ? [] : [{ file: name, sector, start: at, isAudio }],
  );
}

/**
 * Calculates where the tracks start, in bytes. All sectors before a track have the length of their
 * own track.
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
