import type { DataTrack, Sheet } from './sheet.ts';

const MAX_TRACKS = 99;
/** First sector of the high-density area of a GD-ROM, from which the console boots. */
const HIGH_DENSITY = 45_000;
const DATA = '4';

/**
 * Parses a GDI sheet. Returns null if the lines are not a GDI sheet. In `dataTracks`, the tracks of
 * the high-density area come first.
 *
 * Source: the GDI files of the Dreamcast emulators, e.g. flyinghead/flycast `core/imgread/gdi.cpp`.
 * The first line is the number of tracks. Each further line describes a track by these fields:
 * - number of the track;
 * - first sector;
 * - kind (0 is audio, 4 is data);
 * - bytes per sector;
 * - name of the file;
 * - offset in the file.
 */
export function gdiSheet(lines: readonly string[]): Sheet | null {
  const [count = '', ...rest] = lines;
  if (!/^\d{1,2}$/.test(count) || rest.length === 0) return null;
  const files: Sheet['files'][number][] = [];
  const found: (DataTrack & { first: number })[] = [];
  for (const line of rest.slice(0, MAX_TRACKS)) {
    const match =
      /^(\d{1,2})\s+(\d{1,7})\s+([04])\s+(\d{4})\s+(?:"([^"]+)"|(\S+))\s+(\d{1,10})$/.exec(line);
    if (match === null) return null;
    const [, number, first, kind, sector, quoted, plain, start] = match;
    const name = quoted ?? plain ?? '';
    const track = { number: Number(number), isAudio: kind !== DATA, start: Number(start) };
    files.push({ name, tracks: [track] });
    if (kind !== DATA) continue;
    found.push({ first: Number(first), file: name, sector: Number(sector), start: Number(start) });
  }
  const isHigh = (track: { first: number }) => track.first >= HIGH_DENSITY;
  const dataTracks = [...found.filter(isHigh), ...found.filter((track) => !isHigh(track))];
  return { files, dataTracks };
}
