import { join } from 'node:path';
import type { RowText } from '../imports/support/dat-text.ts';
import { makeIso, nintendoImage, paramSfo, systemArea } from '../support/images/disc-images.ts';
import { makeRaw } from '../support/images/packed-images.ts';
import { type LibraryFixture, romOf } from './library-fixture.ts';

export const saturn = 'Sega - Saturn';

/** A GameCube disc with the ID GW7E69. */
export const gamecube = nintendoImage('GW7E69', 'A disc', 'gamecube');

/**
 * Returns a PSP disc with this serial. Each call returns different bytes, because xorriso writes
 * the time.
 */
export const pspDisc = (id: string) =>
  makeIso(
    { 'UMD_DATA.BIN': `${id}|`, 'PSP_GAME/PARAM.SFO': paramSfo({ DISC_ID: id.replace('-', '') }) },
    { sysid: 'PSP GAME' },
  );

/**
 * Returns a data track. With `product`, the track belongs to a Saturn disc with this product
 * number. Without `product`, the disc is unknown.
 */
export function data(seed: string, product?: string): Buffer {
  const fields = product ? { 0: 'SEGA SEGASATURN ', 32: `${product.padEnd(10)}V1.000` } : {};
  return makeRaw(Buffer.concat([systemArea(fields), Buffer.alloc(20 * 2048, `${seed} `)]), 1);
}

/** Returns the bytes of an audio track. */
export const audio = (seed: string, sectors = 10) =>
  Buffer.alloc(sectors * 2352, `sound of ${seed} `);

type Tracks = readonly (readonly [name: string, content: Buffer])[];

/** Returns a cue sheet with one file per track, like the sheets of Redump. */
export function cueOf(names: readonly string[]): string {
  const lines = names.map((name, index) => {
    const mode = index === 0 ? 'MODE1/2352' : 'AUDIO';
    const number = String(index + 1).padStart(2, '0');
    return `FILE "${name}" BINARY\r\n  TRACK ${number} ${mode}\r\n    INDEX 01 00:00:00\r\n`;
  });
  return lines.join('');
}

export const gdiOf = (names: readonly string[]) =>
  [
    names.length,
    ...names.map((name, i) => `${i + 1} ${i * 45000} ${i === 0 ? 4 : 0} 2352 "${name}" 0`),
  ].join('\n');

export async function writeDisc(
  library: LibraryFixture,
  folder: string,
  sheet: string,
  tracks: Tracks,
) {
  for (const [name, content] of tracks) await library.write(join(folder, name), content);
  await library.write(join(folder, sheet), cueOf(tracks.map(([name]) => name)));
}

/** Returns a release with these tracks, in the form that Redump lists. */
export const release = (
  name: string,
  tracks: readonly Buffer[],
  more: Partial<RowText> = {},
): RowText => ({
  name,
  roms: tracks.map((content, i) => romOf(content, `${name} (Track ${i + 1}).bin`)),
  ...more,
});

/**
 * Returns the match of a file, for example `sha1: A, A (Track 1).bin`. For a tie, returns the
 * candidate releases. Returns null without a match.
 */
export async function found(library: LibraryFixture, name: string): Promise<string | null> {
  const match = await library.matchOf(name);
  if (match !== null)
    return `${match.method}: ${match.release}${match.canonical && `, ${match.canonical}`}`;
  const tied = JSON.parse(String(await library.stored(name, 'tied'))) as number[] | null;
  if (tied === null) return null;
  const names = await Promise.all(
    tied.map(async (id) => (await library.catalog.releases.get(id)).name),
  );
  return `tie of ${names.join(' and ')}`;
}

export const allFound = async (library: LibraryFixture, ...names: string[]) =>
  Promise.all(names.map((name) => found(library, name)));
