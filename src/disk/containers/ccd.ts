import type { SheetTrack } from '../../core/library/identity.ts';
import type { Sheet } from './sheet.ts';

const SECTOR = 2352;
const IMAGE = '*.img';

/**
 * Parses a CloneCD sheet; returns null if the lines are not one. Its image and subchannels are
 * stored next to it under its own name, with `.img` and `.sub`. The image has sectors of 2352
 * bytes.
 *
 * Source: CloneCD's control files as libMirage describes them: an INI file that begins with
 * `[CloneCD]`. A section `[TRACK 2]` has `MODE=0` (audio, any other is data), and `INDEX 0=` and
 * `INDEX 1=` in sectors from the image's start. Older sheets have only `[Entry 3]` with
 * `Point=0x02`, `Control=0x04` (data) and `PLBA=`.
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
 * Parses a decimal number, or a hexadecimal one with `0x`; returns null for anything else,
 * including negative numbers.
 */
function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^(?:\d{1,7}|0x[\da-f]{1,6})$/i.test(text) ? Number(text) : null;
}
