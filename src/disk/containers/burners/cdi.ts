import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, MAX_READ } from '../../image-bytes.ts';
import { checkTracks, type FileTrack } from './tracked-image.ts';

const V2 = 0x80000004;
const V3 = 0x80000005;
const V35 = 0x80000006;
const START_MARK = Buffer.from([0, 0, 1, 0, 0, 0, 255, 255, 255, 255]);
const MAX_TRACKS = 99;
/**
 * Sector lengths in bytes, by the code of the sector length. `stride` is the length of a sector in
 * the file. The first `sector` bytes of each sector belong to the track.
 */
const lengths: readonly (readonly [stride: number, sector: number])[] = [
  [2048, 2048],
  [2336, 2336],
  [2352, 2352],
  [2368, 2352],
  [2448, 2352],
];

/**
 * Returns the offset and the version of a DiscJuggler image's tables. Returns null if the file is
 * not a DiscJuggler image. `tail` is the end of the file. `size` is the file's size in bytes.
 */
export function cdiTables(tail: Buffer, size: number): { at: number; version: number } | null {
  if (tail.length < 8) return null;
  const version = tail.readUInt32LE(tail.length - 8);
  const offset = tail.readUInt32LE(tail.length - 4);
  if (![V2, V3, V35].includes(version) || offset === 0 || offset >= size) return null;
  return { at: version === V35 ? size - offset : offset, version };
}

/**
 * Reads the tracks of a DiscJuggler image. Throws a `CatalogError` of kind `refused` if the image's
 * tables are damaged.
 *
 * Source: the CDI format as DeXT's cdirip and libMirage describe it. All numbers are little-endian.
 * The last 8 bytes of the file are the version (u32) and the position of the tables (u32). In
 * version 3.5, the position is counted back from the end of the file. The tables list sessions and
 * their tracks. A track's entry begins with two identical marks. The entry states the lengths of
 * pregap and track, the mode (0 is audio) and a code for the sector length. The tracks are stored
 * back to back.
 */
export async function cdiTracks(file: ImageBytes): Promise<readonly FileTrack[]> {
  const found = cdiTables(
    await file.read(Math.max(0, file.size - 8), Math.min(8, file.size)),
    file.size,
  );
  if (found === null) throw refused('it is damaged: its tables are not there');
  const { at, version } = found;
  const tables = await file.read(at, Math.min(MAX_READ, file.size - at));
  const tracks: FileTrack[] = [];
  let place = 0;
  let byte = 0;
  const take = (bytes: number) => {
    if (place + bytes > tables.length) throw refused('it is damaged: its tables are cut');
    const from = place;
    place += bytes;
    return from;
  };
  const number = () => tables.readUInt32LE(take(4));
  const sessions = tables.readUInt16LE(take(2));
  for (let session = 0; session < Math.min(sessions, MAX_TRACKS); session += 1) {
    const count = tables.readUInt16LE(take(2));
    for (let track = 0; track < count; track += 1) {
      if (tracks.length === MAX_TRACKS) throw refused('it is damaged: it has too many tracks');
      const { pregap, mode, total, code } = readTrack();
      const length = lengths[code];
      if (length === undefined) throw refused('it has sectors of a length that is not known');
      const [stride, sector] = length;
      // Dumps do not contain the pregap of a session's first track, so skip that pregap.
      const skipped = track === 0 ? pregap : 0;
      tracks.push({
        number: tracks.length + 1,
        isAudio: mode === 0,
        offset: byte + skipped * stride,
        frames: total - skipped,
        stride,
        sector,
        pregap: pregap - skipped,
      });
      byte += total * stride;
    }
    take(version === V2 ? 12 : 13);
  }
  return checkTracks(file, tracks);

  function readTrack() {
    if (number() !== 0) take(8);
    for (const from of [take(10), take(10)]) {
      if (!tables.subarray(from, from + 10).equals(START_MARK)) {
        throw refused('it is damaged: a track does not begin where it should');
      }
    }
    take(4);
    take(tables.readUInt8(take(1)));
    take(19);
    if (number() === 0x80000000) take(8);
    take(2);
    const pregap = number();
    number();
    take(6);
    const mode = number();
    take(16);
    const total = number();
    take(16);
    const code = number();
    take(29);
    if (version !== V2) {
      take(5);
      if (number() === 0xffffffff) take(78);
    }
    return { pregap, mode, total, code };
  }
}
