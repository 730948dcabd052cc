import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, statedSize } from '../../image-bytes.ts';
import { checkTracks, type FileTrack } from './tracked-image.ts';

const MAX_CHUNKS = 1000;
const MAX_CHUNK_BYTES = 64 * 1024;

/**
 * Sector lengths in bytes, by the code of the mode. `stride` is the length of a sector in the file.
 * The first `sector` bytes of each sector belong to the track.
 */
const modes: Readonly<Record<number, readonly [stride: number, sector: number, isAudio?: true]>> = {
  0: [2048, 2048],
  2: [2048, 2048],
  3: [2336, 2336],
  5: [2352, 2352],
  6: [2352, 2352],
  7: [2352, 2352, true],
  15: [2448, 2352],
  16: [2448, 2352, true],
  17: [2448, 2352],
};

/**
 * Returns the offset of a Nero image's chunks, or null if the file is not a Nero image. `tail` is
 * the last 12 bytes of the file.
 */
export function nrgChunks(tail: Buffer): number | null {
  if (tail.length < 12) return null;
  if (tail.toString('latin1', 0, 4) === 'NER5') return statedSize(tail.readBigUInt64BE(4));
  return tail.toString('latin1', 4, 8) === 'NERO' ? tail.readUInt32BE(8) : null;
}

/**
 * Reads the tracks of a Nero image of version 1 or 2. Throws a `CatalogError` of kind `refused` if
 * the image's tables are damaged.
 *
 * Source: the NRG format as libMirage and "NRG (file format)" describe it. All numbers are
 * big-endian. A chunk consists of a name (4 bytes), the length of its data (u32), and the data.
 *
 * The data of the chunks `DAOI` and `DAOX` starts with 22 other bytes. The tracks follow. A track
 * has these fields:
 * - u16 at 12: sector length;
 * - u8 at 14: code of the mode;
 * - three u32 (`DAOI`) or u64 (`DAOX`) from 18 on: offsets of the pregap, the start and the end.
 *
 * The chunks `ETNF` and `ETN2` contain the offset, length and mode of each track. A dump contains
 * the pregap of every track except the first.
 */
export async function nrgTracks(file: ImageBytes): Promise<readonly FileTrack[]> {
  const end = await file.read(Math.max(0, file.size - 12), Math.min(12, file.size));
  let at = nrgChunks(end) ?? file.size;
  const tracks: FileTrack[] = [];
  for (let chunk = 0; chunk < MAX_CHUNKS && at + 8 <= file.size; chunk += 1) {
    const head = await file.read(at, 8);
    const name = head.toString('latin1', 0, 4);
    const length = head.readUInt32BE(4);
    if (name === 'END!') break;
    if (['DAOI', 'DAOX', 'ETNF', 'ETN2'].includes(name)) {
      if (length > MAX_CHUNK_BYTES) throw refused('it is damaged: its tables are too long');
      const body = await file.read(at + 8, length);
      const found = name.startsWith('DAO')
        ? discAtOncePlaces(body, name)
        : trackAtOncePlaces(body, name);
      for (const track of found) tracks.push(toTrack(track, tracks.length + 1));
    }
    at += 8 + length;
  }
  return checkTracks(file, tracks);
}

interface Place {
  readonly mode: number;
  readonly pregap: number;
  readonly start: number;
  readonly end: number;
}

/** Reads the tracks of a disc that was written as a whole (`DAOI`, `DAOX`). */
function discAtOncePlaces(body: Buffer, name: string): Place[] {
  const width = name === 'DAOX' ? 8 : 4;
  const length = 18 + 3 * width;
  const places: Place[] = [];
  for (let at = 22; at + length <= body.length; at += length) {
    const offset = (index: number) => offsetAt(body, at + 18 + index * width, width);
    const [pregap = 0, start = 0, end = 0] = [0, 1, 2].map(offset);
    places.push({ mode: body[at + 14] ?? 0, pregap, start, end });
  }
  return places;
}

/** Reads the tracks of a disc that was written track by track (`ETNF`, `ETN2`). */
function trackAtOncePlaces(body: Buffer, name: string): Place[] {
  const width = name === 'ETN2' ? 8 : 4;
  const length = name === 'ETN2' ? 32 : 20;
  const places: Place[] = [];
  for (let at = 0; at + length <= body.length; at += length) {
    const start = offsetAt(body, at, width);
    const end = start + offsetAt(body, at + width, width);
    places.push({ mode: body.readUInt32BE(at + 2 * width), pregap: start, start, end });
  }
  return places;
}

function offsetAt(body: Buffer, at: number, width: number): number {
  return width === 8 ? statedSize(body.readBigUInt64BE(at)) : body.readUInt32BE(at);
}

function toTrack({ mode, pregap, start, end }: Place, number: number): FileTrack {
  const known = modes[mode];
  if (known === undefined) throw refused(`it has a track in a mode that is not known (${mode})`);
  const [stride, sector, isAudio = false] = known;
  const offset = number === 1 ? start : pregap;
  const frames = (bytes: number) => Math.floor(Math.max(0, bytes) / stride);
  return {
    number,
    isAudio,
    offset,
    frames: frames(end - offset),
    stride,
    sector,
    pregap: frames(start - offset),
  };
}
