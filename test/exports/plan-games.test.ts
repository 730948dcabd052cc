import { beforeAll, describe, expect, test } from 'vitest';
import type { ExportRelease } from '../../src/core/exports/plan/export-release.ts';
import { planGames } from '../../src/core/exports/plan/plan-games.ts';
import type { LeftOut, PlannedGame } from '../../src/core/exports/plan/planned-game.ts';
import { isSafeName, safeName, TakenNames } from '../../src/core/exports/plan/safe-names.ts';
import type { Profiles } from '../../src/core/exports/profiles/profiles.ts';
import { exportRelease, libraryFile, shippedProfiles } from '../support/exports/releases.ts';

const psx = 'Sony - PlayStation';
const psp = 'Sony - PlayStation Portable';

let profiles: Profiles;
beforeAll(async () => {
  profiles = await shippedProfiles();
});

/** Plans releases for a profile. Returns the games, and what is left out. */
async function plan(
  profileId: string,
  platformName: string,
  releases: readonly ExportRelease[],
  { rewritesSheets = false } = {},
) {
  const profile = profiles.get(profileId);
  const platform = profile.platforms.get(platformName);
  if (platform === undefined) throw new Error(`${profileId} has no ${platformName}`);
  const leftOut: LeftOut[] = [];
  const games: PlannedGame[] = [];
  async function* batches() {
    const ordered = releases.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    for (let at = 0; at < ordered.length; at += 2) yield ordered.slice(at, at + 2);
  }
  const taken = new TakenNames(profile.fileSystem);
  const onLeftOut = (one: LeftOut) => void leftOut.push(one);
  const options = { profile, platform, taken, onLeftOut, rewritesSheets };
  for await (const game of planGames(batches(), options)) games.push(game);
  return { games, leftOut };
}

const pathsOf = ({ games }: { games: readonly PlannedGame[] }) =>
  games.map(({ files }) => files.map(({ path }) => path));
const cue = (name: string, tracks: readonly string[], folder = '/library') => [
  libraryFile(name, { sheet: tracks, folder }),
  ...tracks.map((track) => libraryFile(track, { container: 'raw', folder })),
];

describe('the names of exported files', () => {
  test('are those of the DAT, with the extension of the file', async () => {
    const iso = { name: 'Lumines (Japan).iso', size: 1, crc32: '' };
    const release = exportRelease('Lumines (Japan)', {
      roms: [iso],
      files: [libraryFile('lum.ISO', { canonical: iso.name, isExact: true, container: 'iso' })],
    });
    const packed = exportRelease('Ridge Racer (Europe)', {
      roms: [{ ...iso, name: 'Ridge Racer (Europe).iso' }],
      files: [libraryFile('rr.CSO')],
    });
    const planned = await plan('es-de', psp, [release, packed]);
    expect(pathsOf(planned)).toEqual([['Lumines (Japan).iso'], ['Ridge Racer (Europe).cso']]);
  });

  test('have the extension in the DAT only if the bytes are those of the DAT', async () => {
    const platform = 'Sega - Mega Drive - Genesis';
    const rom = { name: 'Sonic (World).md', size: 1, crc32: '' };
    const files = (more: object) => [libraryFile('sonic.bin', { canonical: rom.name, ...more })];
    const exact = exportRelease('Sonic (World)', { roms: [rom], files: files({ isExact: true }) });
    const other = exportRelease('Sonic (World)', { roms: [rom], files: files({ isExact: false }) });
    expect(pathsOf(await plan('es-de', platform, [exact]))).toEqual([['Sonic (World).md']]);
    expect(pathsOf(await plan('es-de', platform, [other]))).toEqual([['Sonic (World).bin']]);
  });

  test('differ by more than case on FAT, but not elsewhere', async () => {
    const releases = ['Game (USA)', 'GAME (USA)'].map((name) => exportRelease(name));
    const on = async (profile: string) => pathsOf(await plan(profile, psx, releases)).flat();
    expect(await on('onion')).toEqual(['GAME (USA).chd', 'Game (USA) (2).chd']);
    expect(await on('es-de')).toEqual(['GAME (USA).chd', 'Game (USA).chd']);
  });

  test('differ if the names of the DAT are equal', async () => {
    const releases = Array.from({ length: 3_000 }, () => exportRelease('Same'));
    const names = pathsOf(await plan('es-de', psx, releases)).flat();
    expect(new Set(names).size).toBe(3_000);
    expect(names.slice(0, 3)).toEqual(['Same.chd', 'Same (2).chd', 'Same (3).chd']);
  });

  test.each([
    ['a/b', 'a_b', 'a_b'],
    ['a: b? "c" <d> *e* \\f', 'a: b? "c" <d> *e* _f', 'a_ b_ _c_ _d_ _e_ _f'],
    ['a|b', 'a_b', 'a_b'],
    ['  a  ', 'a', 'a'],
    ['a...', 'a...', 'a'],
    ['a. .', 'a. .', 'a'],
    ['.hidden', '_.hidden', '_.hidden'],
    ['a\tb\u0000c', 'abc', 'abc'],
    ['CON', '_CON', '_CON'],
    ['...', '_...', '_'],
    ['\ud800', '\ufffd', '\ufffd'],
    ['Pokémon & 牧場物語', 'Pokémon & 牧場物語', 'Pokémon & 牧場物語'],
  ])('have no character that a file system forbids: %j', (name, posix, fat) => {
    expect(safeName(name, 'iso', 'posix')).toBe(`${posix}.iso`);
    expect(safeName(name, 'iso', 'fat32')).toBe(`${fat}.iso`);
    expect(isSafeName(safeName(name, 'iso', 'exfat').slice(0, -4), 'exfat')).toBe(true);
  });

  test('have at most 255 bytes, and are cut at whole characters', () => {
    const long = '牧'.repeat(100);
    const [one, other] = [`${long}1`, `${long}2`].map((name) => safeName(name, 'chd', 'posix'));
    for (const name of [one, other]) {
      expect(Buffer.byteLength(name ?? '')).toBeLessThanOrEqual(255);
      expect(name).toMatch(/^牧+~[0-9a-f]{8}\.chd$/);
    }
    expect(one).not.toBe(other);
    expect(safeName('x'.repeat(251), 'chd', 'posix')).toBe(`${'x'.repeat(251)}.chd`);
  });
});

describe('a disc in several files', () => {
  const tracks = ['Game (USA) (Track 1).bin', 'Game (USA) (Track 2).bin'];

  test('keeps the names in its sheet, and has no folder if they are unique', async () => {
    const game = exportRelease('Game (USA)', { files: cue('my game.cue', tracks) });
    const planned = await plan('batocera', psx, [game]);
    expect(pathsOf(planned)).toEqual([['Game (USA).cue', ...tracks]]);
  });

  test('has a folder if other games may have files with the same names', async () => {
    const dreamcast = 'Sega - Dreamcast';
    const files = (folder: string) => {
      const [sheet, ...rest] = cue('disc.gdi', ['track01.bin', 'track02.raw'], folder);
      return sheet === undefined ? [] : [{ ...sheet, container: 'gdi' }, ...rest];
    };
    const games = [
      exportRelease('One (USA)', { files: files('/a') }),
      exportRelease('Two (USA)', { files: files('/b') }),
    ];
    expect(pathsOf(await plan('batocera', dreamcast, games))[1]).toEqual([
      'Two (USA)/Two (USA).gdi',
      'Two (USA)/track01.bin',
      'Two (USA)/track02.raw',
    ]);
    const esde = await plan('es-de', dreamcast, games);
    expect(esde.games.map(({ shown, stem, entry }) => [shown, stem, entry])).toEqual([
      ['One (USA).gdi', 'One (USA).gdi', 'One (USA).gdi/One (USA).gdi'],
      ['Two (USA).gdi', 'Two (USA).gdi', 'Two (USA).gdi/Two (USA).gdi'],
    ]);
  });

  test('is in a folder with its own name on MinUI', async () => {
    const game = exportRelease('Game (USA)', { files: cue('my game.cue', tracks) });
    const { games } = await plan('minui', psx, [game]);
    expect(games[0]).toMatchObject({
      shown: 'Game (USA)',
      stem: 'Game (USA)',
      entry: 'Game (USA)/Game (USA).cue',
    });
  });

  test('is left out if a file of its sheet is missing', async () => {
    const files = cue('a.cue', tracks).slice(0, 2);
    const { games, leftOut } = await plan('es-de', psx, [exportRelease('A', { files })]);
    expect(games).toEqual([]);
    expect(leftOut.map(({ file, why }) => [file, why])).toEqual([
      ['a.cue', 'It names the file "Game (USA) (Track 2).bin", which the library does not have'],
    ]);
  });

  test('is left out if its sheet names files above its folder', async () => {
    const sheet = libraryFile('a.cue', { sheet: ['../x.bin'], folder: '/library/a' });
    const track = libraryFile('../x.bin', { folder: '/library/a' });
    const { leftOut } = await plan('es-de', psx, [exportRelease('A', { files: [sheet, track] })]);
    expect(leftOut[0]?.why).toMatch(/whose name the device cannot store$/);
  });
});

describe('a game on several discs', () => {
  const discs = ['Disc 10', 'Disc 2', 'Disc 1'].map((disc) =>
    exportRelease(`Saga (USA) (${disc})`),
  );

  test('gets one playlist, in the order of the discs', async () => {
    const { games } = await plan('batocera', psx, [...discs, exportRelease('Saga (USA)')]);
    expect(games.map(({ name, shown }) => [name, shown])).toEqual([
      ['Saga (USA)', 'Saga (USA).chd'],
      ['Saga (USA)', 'Saga (USA).m3u'],
    ]);
    expect(games[1]?.playlist).toEqual(
      [1, 2, 10].map((number) => `Saga (USA) (Disc ${number}).chd`),
    );
  });

  test('has a folder named like its playlist on ES-DE, with relative lines', async () => {
    const { games } = await plan('es-de', psx, discs);
    expect(games[0]).toMatchObject({
      shown: 'Saga (USA).m3u',
      entry: 'Saga (USA).m3u/Saga (USA).m3u',
      playlist: [1, 2, 10].map((number) => `Saga (USA) (Disc ${number}).chd`),
    });
    expect(games[0]?.files[0]?.path).toBe('Saga (USA).m3u/Saga (USA) (Disc 1).chd');
  });

  test('has no two tracks of the same name if its sheets are rewritten', async () => {
    const releases = ['Disc 1', 'Disc 2'].map((disc) =>
      exportRelease(`Saga (${disc})`, { files: cue('a.cue', ['Track 1.bin'], `/${disc}`) }),
    );
    const { games } = await plan('batocera', psx, releases, { rewritesSheets: true });
    const files = games.flatMap((game) => game.files);
    const names = files.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
    expect(names).toEqual([
      ...['Saga (Disc 1).cue', 'Track 1.bin', 'Saga (Disc 2).cue', 'Track 1 (2).bin'],
    ]);
    expect(files[2]?.sheetNames).toEqual(['Track 1 (2).bin']);
  });

  test('is listed by disc if the device reads no playlists or the discs are zips', async () => {
    expect((await plan('es-de', psp, discs)).games.map(({ playlist }) => playlist)).toEqual(
      discs.map(() => null),
    );
    const megaDrive = 'Sega - Mega Drive - Genesis';
    const zips = ['Disc 1', 'Disc 2'].map((disc) =>
      exportRelease(`Zipped (${disc})`, {
        files: [libraryFile(`${disc}.zip`, { inside: { images: 1, name: 'a.md' } })],
      }),
    );
    expect((await plan('es-de', megaDrive, zips)).games).toHaveLength(2);
  });

  test('has a playlist for each edition of its discs', async () => {
    const names = ['A (Disc 1)', 'A (Disc 1) (Rev 1)', 'A (Disc 2)', 'A (Disc 2) (Rev 1)'];
    const { games } = await plan(
      'batocera',
      psx,
      names.map((name) => exportRelease(name)),
    );
    expect(games.map(({ shown, playlist }) => [shown, playlist?.length])).toEqual([
      ['A.m3u', 2],
      ['A (Rev 1).m3u', 2],
    ]);
    const twice = ['A (Disc 1)', 'A (Disc 1)', 'A (Disc 2)'].map((name) => exportRelease(name));
    const apart = await plan('batocera', psx, twice);
    expect(apart.games.map(({ playlist }) => playlist)).toEqual([null, null, null]);
  });

  test('has the discs that the device can open, and reports the other discs', async () => {
    const rar = exportRelease('Saga (USA) (Disc 3)', { files: [libraryFile('3.rar')] });
    const { games, leftOut } = await plan('batocera', psx, [...discs, rar]);
    expect(games[0]?.playlist).toHaveLength(3);
    expect(leftOut.map(({ file }) => file)).toEqual(['3.rar']);
  });
});

describe('a file that a device cannot open', () => {
  const reasons = async (profile: string, platform: string, file: ReturnType<typeof libraryFile>) =>
    (await plan(profile, platform, [exportRelease('A', { files: [file] })])).leftOut.map(
      ({ why }) => why,
    );
  const gib = 2 ** 30;

  test.each([
    ['es-de', psx, libraryFile('a.rar'), /^ES-DE does not open \.rar files of Sony - PlayStation$/],
    ['es-de', psp, libraryFile('a.dax'), /does not open \.dax/],
    ['es-de', psp, libraryFile('a.zso'), /does not open \.zso/],
    ['es-de', psx, libraryFile('a'), /opens no files without an extension/],
    ['es-de', 'Nintendo - GameCube', libraryFile('a.nkit.iso', { isNkit: true }), /^It is an NKit/],
    ['es-de', psx, libraryFile('a.bin', { container: 'raw' }), /does not open \.bin/],
    ['onion', psx, libraryFile('a.chd', { size: 5 * gib }), /files on FAT32 have at most 4 GiB$/],
    ['batocera', psx, libraryFile('a.m3u', { sheet: ['a.chd'] }), /^It is a playlist, and/],
    [
      'es-de',
      'Nintendo - Game Boy',
      libraryFile('a.zip', { inside: { images: 3, name: null } }),
      /^It contains 3 images$/,
    ],
  ])('is left out with the reason: %s, %s', async (profile, platform, file, why) => {
    expect(await reasons(profile, platform, file)).toEqual([expect.stringMatching(why)]);
  });

  test('is not reported if the library has the release in a form that can be opened', async () => {
    const files = [libraryFile('a.rar'), libraryFile('b.pbp'), libraryFile('c.chd')];
    const { games, leftOut } = await plan('es-de', psx, [exportRelease('A', { files })]);
    expect(games[0]?.files.map(({ source }) => source.name)).toEqual(['c.chd']);
    expect(leftOut).toEqual([]);
  });

  test('is replaced by an undamaged file of the release if it is damaged', async () => {
    const files = [libraryFile('a.chd', { problem: 'it is truncated' }), libraryFile('b.pbp')];
    const { games } = await plan('es-de', psx, [exportRelease('A', { files })]);
    expect(games[0]?.files[0]?.source.name).toBe('b.pbp');
  });

  test('has at least 4 GiB on FAT32; elsewhere, no file is too large', async () => {
    expect(await reasons('onion', psx, libraryFile('a.chd', { size: 4 * gib - 1 }))).toEqual([]);
    expect(await reasons('onion', psx, libraryFile('a.chd', { size: 4 * gib }))).toHaveLength(1);
    expect(await reasons('muos', psx, libraryFile('a.chd', { size: 5 * gib }))).toEqual([]);
  });
});

describe('the plan of an export', () => {
  test('gives the same releases the same names every time', async () => {
    const releases = ['B', 'a', 'A', 'Saga (Disc 1)', 'Saga (Disc 2)'].map((name) =>
      exportRelease(name),
    );
    const [one, other] = [await plan('onion', psx, releases), await plan('onion', psx, releases)];
    expect(pathsOf(one)).toEqual(pathsOf(other));
  });
});
