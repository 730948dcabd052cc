import type { SheetTrack } from '../../core/library/identity.ts';
import type { Sheet } from './sheet.ts';

const SECTOR = 2352;
const IMAGE = '*.img';

/**
 * What a CloneCD sheet says; null when the lines are none. Its image and its subchannels lie beside it under its own
 * name, `.img` and `.sub`; the image has sectors of 2352 bytes.
 *
 * Source: CloneCD's control files as libMirage describes them: an INI file that begins with `[CloneCD]`; a section
 * `[TRACK 2]` has `MODE=0` (sound, else data) and `INDEX 0=`, `INDEX 1=` in sectors from the image's start. Older ones
 * have only `[Entry 3]` with `Point=0x02`, `Control=0x04` (data) and `PLBA=`.
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

/** Decimal or `0x` and hexadecimal; null for what is no number from 0 on. */
function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^(?:\d{1,7}|0x[\da-f]{1,6})$/i.test(text) ? Number(text) : null;
}
