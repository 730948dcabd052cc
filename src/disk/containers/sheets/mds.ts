import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, MAX_READ } from '../../image-bytes.ts';
import type { DataTrack, Sheet } from './sheet.ts';

const SESSION = 24;
const TRACK = 80;
const MAX_SESSIONS = 99;
const MAX_BLOCKS = 200;
const IMAGE = '*.mdf';
const AUDIO = 1;
/** Number of bytes of the subchannels that may follow each sector. */
const SUBCHANNELS = 96;

/**
 * Reads a Media Descriptor (MDS), which describes the tracks in the MDF file of the same name.
 * Throws a `CatalogError` of kind `refused` if the descriptor's tables are damaged.
 *
 * Source: the MDS format as libMirage describes it (`MDS_Header`, `MDS_SessionBlock` and
 * `MDS_TrackBlock`). All numbers are little-endian. The header has these fields:
 * - u16 at 0x14: number of sessions;
 * - u32 at 0x50: offset of the session blocks.
 *
 * A session block has these fields:
 * - u8 at 10: number of track blocks;
 * - u32 at 20: offset of the track blocks.
 *
 * A track block has these fields:
 * - u8 at 0: mode;
 * - u8 at 1: subchannels (8 means 96 bytes after each sector);
 * - u8 at 4: number of the track; blocks with numbers from 0xA0 on are not tracks;
 * - u16 at 16: sector length, including subchannels;
 * - u64 at 40: offset of the track in the MDF.
 */
export async function mdsSheet(file: ImageBytes): Promise<Sheet> {
  const bytes = await file.read(0, Math.min(file.size, MAX_READ));
  if (bytes.length < 0x58) throw refused('it is cut: its header is not whole');
  const tracks: (DataTrack & { number: number; isAudio: boolean })[] = [];
  const sessions = Math.min(bytes.readUInt16LE(0x14), MAX_SESSIONS);
  for (let session = 0; session < sessions; session += 1) {
    const at = bytes.readUInt32LE(0x50) + session * SESSION;
    const block = part(bytes, at, SESSION);
    const count = Math.min(block[10] ?? 0, MAX_BLOCKS);
    for (let i = 0; i < count; i += 1) {
      const track = part(bytes, block.readUInt32LE(20) + i * TRACK, TRACK);
      const number = track[4] ?? 0;
      if (number < 1 || number > 99) continue;
      const isAudio = ((track[0] ?? 0) & 7) === AUDIO;
      const start = Number(track.readBigUInt64LE(40));
      tracks.push({ number, isAudio, file: IMAGE, sector: track.readUInt16LE(16), start });
    }
  }
  if (tracks.some(({ sector }) => sector < 2048 || sector > 2448)) {
    throw refused('it is damaged: a sector cannot be so long');
  }
  return {
    files: [{ name: IMAGE, tracks: withoutSubchannels(tracks) }],
    dataTracks: tracks.filter(({ isAudio }) => !isAudio),
  };
}

/**
 * Converts each track's start to the offset in the MDF without its subchannels, because the data is
 * hashed without subchannels. Returns no tracks if the sectors have different lengths.
 */
function withoutSubchannels(tracks: readonly (DataTrack & { number: number; isAudio: boolean })[]) {
  const [first] = tracks;
  if (first === undefined || tracks.some(({ sector }) => sector !== first.sector)) return [];
  const sector = first.sector > 2352 ? first.sector - SUBCHANNELS : first.sector;
  return tracks.map(({ number, isAudio, start }) => {
    return { number, isAudio, start: Math.floor(start / first.sector) * sector };
  });
}

function part(bytes: Buffer, at: number, length: number): Buffer {
  if (at + length > bytes.length) throw refused('it is damaged: its tables are cut');
  return bytes.subarray(at, at + length);
}
