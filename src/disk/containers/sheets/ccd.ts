import type { SheetTrack } from '../../../core/library/identity.ts';
import type { Sheet } from './sheet.ts';

const SECTOR = 2352;
const IMAGE = '*.img';

/**
 * Parses a CloneCD sheet. Returns null if the lines are not a CloneCD sheet. The disc's image and
 * subchannels are files next to the sheet. These files have the sheet's name and the extensions
 * `.img` and `.sub`. The image has sectors of 2352 bytes.
 *
 * Source: CloneCD's control files as libMirage describes them. A sheet is an INI file that begins
 * with `[CloneCD]`. A section such as `[TRACK 2]` describes a track:
 * - `MODE=0` means audio, any other mode means data;
 * - `INDEX 0=` and `INDEX 1=` are in sectors from the start of the image.
 *
 * Older sheets describe tracks only in sections such as `[Entry 3]`:
 * - `Point=0x02` is the track's number;
 * - `Control=0x04` means data;
 * - `PLBA=` is the start in sectors.
 */
export function ccdSheet(lines: readonly string[]): Sheet | null {
  if (!/^\[CloneCD\]$/i.test(lines[0] ?? '')) return null;
  const sections: { name: string; values: Map<string, string> }[] = [];
  for (const line of lines) {
    const name = /^\[(.+)\]$/.exec(line)?.[1];
    if (name !== undefined) sections.push({ name: name.toLowerCase(), values: new Map() });
    const [, key = '', value = ''] = /^([^=]+)=(.*)$/.exec(line) ?? [];
    if (key !== '') sections.at(-1)?.values.set(key.trim().toLowerCase(), value.trim());
  }
  const stated = sections.flatMap(({ name, values }) => {
    const number = /^track (\d{1,2})$/.exec(name)?.[1];
    const start = numberOf(values.get('index 1'));
    if (number === undefined || start === null) return [];
    const isAudio = numberOf(values.get('mode')) === 0;
    return [
      {
        number: Number(number),
        isAudio,
        at: start,
        from: numberOf(values.get('index 0')) ?? start,
      },
    ];
  });
  const tracks = stated.length > 0 ? stated : sections.flatMap(entryTrack);
  const image: SheetTrack[] = tracks.map(({ number, isAudio, from }, index) => {
    return { number, isAudio, start: index === 0 ? 0 : from * SECTOR };
  });
  return {
    files: [
      { name: IMAGE, tracks: image },
      { name: '*.sub', tracks: [] },
    ],
    dataTracks: tracks.flatMap(({ isAudio, at }) =>
      isAudio ? [] : [{ file: IMAGE, sector: SECTOR, start: at * SECTOR }],
    ),
  };
}

function entryTrack({ name, values }: { name: string; values: Map<string, string> }) {
  const point = numberOf(values.get('point'));
  const at = numberOf(values.get('plba'));
  if (!name.startsWith('entry') || point === null || at === null || point < 1 || point > 99)
    return [];
  const isAudio = ((numberOf(values.get('control')) ?? 0) & 4) === 0;
  return [{ number: point, isAudio, at, from: at }];
}

/**
 * Parses a decimal number, or a hexadecimal number that starts with `0x`. Returns null for any
 * other text, including negative numbers.
 */
function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^(?:\d{1,7}|0x[\da-f]{1,6})$/i.test(text) ? Number(text) : null;
}
