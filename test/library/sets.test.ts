import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { matchFiles } from '../../src/core/library/match-files.ts';
import { localDisk } from '../../src/disk/local-disk.ts';
import type { RowText } from '../imports/dat-text.ts';
import { zipOf } from '../imports/zip-file.ts';
import { makeCcd, makeCdi, makeMds, makeNrg } from '../support/burner-images.ts';
import { systemArea } from '../support/disc-images.ts';
import { makeRaw } from '../support/packed-images.ts';
import { type LibraryFixture, romOf, touch, useLibrary } from './library-fixture.ts';

const saturn = 'Sega - Saturn';

/** A track with data: of a Saturn disc with that product number, else of no disc that is known. */
function data(seed: string, product?: string): Buffer {
  const fields = product ? { 0: 'SEGA SEGASATURN ', 32: `${product.padEnd(10)}V1.000` } : {};
  return makeRaw(Buffer.concat([systemArea(fields), Buffer.alloc(20 * 2048, `${seed} `)]), 1);
}

/** A track with sound. */
const audio = (seed: string, sectors = 10) => Buffer.alloc(sectors * 2352, `sound of ${seed} `);

type Tracks = readonly (readonly [name: string, content: Buffer])[];

/** A cue sheet with a file per track, as Redump divides a disc. */
function cueOf(names: readonly string[]): string {
  const lines = names.map((name, index) => {
    const mode = index === 0 ? 'MODE1/2352' : 'AUDIO';
    const number = String(index + 1).padStart(2, '0');
    return `FILE "${name}" BINARY\r\n  TRACK ${number} ${mode}\r\n    INDEX 01 00:00:00\r\n`;
  });
  return lines.join('');
}

const gdiOf = (names: readonly string[]) =>
  [
    names.length,
    ...names.map((name, i) => `${i + 1} ${i * 45000} ${i === 0 ? 4 : 0} 2352 "${name}" 0`),
  ].join('\n');

async function writeDisc(library: LibraryFixture, folder: string, sheet: string, tracks: Tracks) {
  for (const [name, content] of tracks) await library.write(join(folder, name), content);
  await library.write(join(folder, sheet), cueOf(tracks.map(([name]) => name)));
}

/** A release with these tracks, as Redump lists it. */
const release = (
  name: string,
  tracks: readonly Buffer[],
  more: Partial<RowText> = {},
): RowText => ({
  name,
  roms: tracks.map((content, i) => romOf(content, `${name} (Track ${i + 1}).bin`)),
  ...more,
});

/** What a file is found to be: `sha1: A, A (Track 1).bin`; the releases that a tie is left to; or null. */
async function found(library: LibraryFixture, name: string): Promise<string | null> {
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

const allFound = async (library: LibraryFixture, ...names: string[]) =>
  Promise.all(names.map((name) => found(library, name)));

describe('two games that share tracks', () => {
  const shared = [audio('one'), audio('two', 12)] as const;
  const a = [data('A', 'T-1'), ...shared];
  const b = [data('B', 'T-2'), ...shared];

  async function library() {
    const made = await useLibrary();
    await made.take(
      [release('A', a, { serial: 'T-1' }), release('B', b, { serial: 'T-2' })],
      saturn,
    );
    return made;
  }

  test('each keeps its own', async () => {
    const one = await library();
    for (const [folder, tracks] of [
      ['x', a],
      ['y', b],
    ] as const) {
      await writeDisc(
        one,
        folder,
        `${folder}.cue`,
        tracks.map((track, i) => [`${folder}${i}.bin`, track]),
      );
    }
    const { inSets } = await one.scan();
    expect(inSets).toBe(8);
    expect(await allFound(one, 'x.cue', 'x0.bin', 'y.cue', 'y0.bin', 'y1.bin')).toEqual([
      'serial: A',
      'serial: A, A (Track 1).bin',
      'serial: B',
      'serial: B, B (Track 1).bin',
      'serial: B, B (Track 2).bin',
    ]);
    // of these sizes there is one ROM each
    expect(await found(one, 'y2.bin')).toBe('serial: B, B (Track 3).bin');
    await one.scan({ hash: true });
    expect(
      await allFound(
        one,
        'x.cue',
        'x0.bin',
        'x1.bin',
        'x2.bin',
        'y.cue',
        'y0.bin',
        'y1.bin',
        'y2.bin',
      ),
    ).toEqual([
      'sha1: A',
      'sha1: A, A (Track 1).bin',
      'sha1: A, A (Track 2).bin',
      'sha1: A, A (Track 3).bin',
      'sha1: B',
      'sha1: B, B (Track 1).bin',
      'sha1: B, B (Track 2).bin',
      'sha1: B, B (Track 3).bin',
    ]);
  });

  test('a file that both sheets name is of both, its siblings are not', async () => {
    const one = await library();
    const shares = [
      ['s1.bin', shared[0]],
      ['s2.bin', shared[1]],
    ] as const;
    await writeDisc(one, '.', 'a.cue', [['a.bin', a[0] as Buffer], ...shares]);
    await writeDisc(one, '.', 'b.cue', [['b.bin', b[0] as Buffer], ...shares]);
    await one.scan({ hash: true });
    expect(await allFound(one, 'a.cue', 'a.bin', 'b.cue', 'b.bin', 's1.bin')).toEqual([
      'sha1: A',
      'sha1: A, A (Track 1).bin',
      'sha1: B',
      'sha1: B, B (Track 1).bin',
      'sha1: A, A (Track 2).bin',
    ]);
  });

  test('a sheet that names the other game’s file takes nothing away from it', async () => {
    const one = await library();
    await writeDisc(
      one,
      '.',
      'b.cue',
      b.map((track, i) => [`b${i}.bin`, track]),
    );
    await writeDisc(one, '.', 'a.cue', [
      ['a0.bin', a[0] as Buffer],
      ['b0.bin', b[0] as Buffer],
    ]);
    await one.scan({ hash: true });
    expect(await allFound(one, 'b.cue', 'b0.bin', 'b1.bin', 'a0.bin')).toEqual([
      'sha1: B',
      'sha1: B, B (Track 1).bin',
      'sha1: B, B (Track 2).bin',
      'sha1: A, A (Track 1).bin',
    ]);
  });

  test('nor from a game that has no sheet of its own', async () => {
    const one = await library();
    const [d = Buffer.alloc(0), e = Buffer.alloc(0)] = [a[0], b[0]];
    await writeDisc(one, '.', 'x.cue', [
      ['d.bin', d],
      ['s.bin', shared[0]],
      ['e.bin', e],
    ]);
    await one.scan();
    expect(await found(one, 'e.bin')).toBe('serial: B, B (Track 1).bin');
    await one.scan({ hash: true });
    expect(await allFound(one, 'x.cue', 's.bin', 'e.bin')).toEqual([
      'sha1: A',
      'sha1: A, A (Track 2).bin',
      'sha1: B, B (Track 1).bin',
    ]);
  });

  test('of sound alone the siblings decide, and what they share stays open', async () => {
    const one = await useLibrary();
    const own = audio('own');
    await one.take(
      [release('B', [data('B'), shared[0], shared[1]]), release('A', [data('A'), ...shared, own])],
      saturn,
    );
    await writeDisc(one, 'x', 'x.cue', [
      ['n.bin', data('unknown')],
      ['s1.bin', shared[0]],
      ['own.bin', own],
    ]);
    await writeDisc(one, 'y', 'y.cue', [
      ['m.bin', data('none')],
      ['t1.bin', shared[0]],
      ['t2.bin', shared[1]],
    ]);
    await one.scan({ hash: true });
    expect(await allFound(one, 'x.cue', 's1.bin', 'own.bin', 'n.bin')).toEqual([
      'sha1: A',
      'sha1: A, A (Track 2).bin',
      'sha1: A, A (Track 4).bin',
      'sha1: A',
    ]);
    expect(await allFound(one, 'y.cue', 't1.bin', 'm.bin')).toEqual([
      'tie of B and A',
      'tie of B and A',
      'tie of B and A',
    ]);
  });

  test('tracks never take a disc away from the game whose serial it states', async () => {
    const one = await library();
    await writeDisc(one, 'x', 'x.cue', [
      ['d.bin', data('another dump of A', 'T-1')],
      ['s1.bin', shared[0]],
      ['u.bin', audio('u')],
    ]);
    await writeDisc(one, 'y', 'y.cue', [
      ['e.bin', data('unlisted', 'T-9')],
      ['t1.bin', shared[0]],
      ['v.bin', audio('v')],
    ]);
    await one.scan({ hash: true });
    expect(await allFound(one, 'x.cue', 's1.bin', 'u.bin')).toEqual([
      'sha1: A',
      'sha1: A, A (Track 2).bin',
      'sha1: A',
    ]);
    expect(await allFound(one, 'y.cue', 'e.bin', 'v.bin')).toEqual([null, null, null]);
  });
});

describe('a data track that two releases share', () => {
  const same = data('same', 'T-1');
  const rows = [
    release('First (USA)', [same, audio('one')], { serial: 'T-1' }),
    release('Second (USA)', [same, audio('two', 11)], { serial: 'T-1' }),
  ];

  test('follows the sound beside it, by size before and by hash after it was hashed', async () => {
    const library = await useLibrary();
    await library.take(rows, saturn);
    await writeDisc(library, '.', 'x.cue', [
      ['d.bin', same],
      ['s.bin', audio('two', 11)],
    ]);
    await library.scan();
    expect(await allFound(library, 'x.cue', 'd.bin', 's.bin')).toEqual([
      'serial: Second (USA)',
      'serial: Second (USA), Second (USA) (Track 1).bin',
      'serial: Second (USA), Second (USA) (Track 2).bin',
    ]);
    await library.scan({ hash: true });
    expect(await allFound(library, 'x.cue', 'd.bin')).toEqual([
      'sha1: Second (USA)',
      'sha1: Second (USA), Second (USA) (Track 1).bin',
    ]);
  });

  test('is left open where the sound is of neither, and decided by a name', async () => {
    const library = await useLibrary();
    await library.take(rows, saturn);
    await writeDisc(library, 'a', 'x.cue', [
      ['d.bin', same],
      ['s.bin', audio('three', 12)],
    ]);
    await writeDisc(library, 'b', 'Second (USA).cue', [
      ['e.bin', same],
      ['t.bin', audio('three', 12)],
    ]);
    await library.scan({ hash: true });
    const tie = 'tie of First (USA) and Second (USA)';
    expect(await allFound(library, 'x.cue', 'd.bin', 's.bin')).toEqual([tie, tie, tie]);
    expect(await allFound(library, 'Second (USA).cue', 't.bin')).toEqual([
      'sha1: Second (USA)',
      'sha1: Second (USA)',
    ]);
    expect((await library.scan()).tied).toBe(3);
  });
});

describe('without a sheet', () => {
  const a = [data('A', 'T-1'), audio('shared'), audio('a')];
  const b = [data('B', 'T-2'), audio('shared'), audio('b')];
  const rows = [release('A', a, { serial: 'T-1' }), release('B', b, { serial: 'T-2' })];
  const write = async (
    library: LibraryFixture,
    tracks: readonly Buffer[],
    name: (n: number) => string,
  ) => {
    for (const [i, track] of tracks.entries()) await library.write(name(i + 1), track);
  };

  test('files that are called as tracks of one disc go together, each game by itself', async () => {
    const library = await useLibrary();
    await library.take(rows, saturn);
    await write(library, b, (n) => `qq (Track ${n}).bin`);
    await write(library, a, (n) => `pp (Track 0${n}).bin`);
    await library.scan({ hash: true });
    expect(await allFound(library, 'qq (Track 2).bin', 'pp (Track 02).bin')).toEqual([
      'sha1: B, B (Track 2).bin',
      'sha1: A, A (Track 2).bin',
    ]);
  });

  test('files of one folder that are not called so are not a set', async () => {
    const library = await useLibrary();
    await library.take(rows, saturn);
    await write(library, b, (n) => `game ${n}.bin`);
    await library.write('track1.bin', a[0]);
    await library.write('Track 01.iso', b[0]);
    await library.write('track2.bin', audio('nobody’s'));
    const { inSets } = await library.scan({ hash: true });
    expect(inSets).toBe(0);
    expect(
      await allFound(library, 'game 2.bin', 'track1.bin', 'Track 01.iso', 'track2.bin'),
    ).toEqual([
      'sha1: A, A (Track 2).bin',
      'sha1: A, A (Track 1).bin',
      'sha1: B, B (Track 1).bin',
      null,
    ]);
  });
});

describe('sheets', () => {
  const a = [data('A', 'T-1'), audio('one')];
  const rows = [release('A', a, { serial: 'T-1' })];

  test('name files in other letters, and files that are missing', async () => {
    const library = await useLibrary();
    await library.take(rows, saturn);
    await library.write('d.bin', a[0]);
    await library.write('S.BIN', audio('unknown'));
    await library.write('x.cue', cueOf(['D.BIN', 's.bin', 'missing.bin']));
    await library.scan();
    expect(await allFound(library, 'x.cue', 'd.bin', 'S.BIN')).toEqual([
      'serial: A',
      'serial: A, A (Track 1).bin',
      'serial: A, A (Track 2).bin',
    ]);
  });

  test('a cue and a GDI of one disc say the same', async () => {
    const library = await useLibrary();
    const dat = rows.map((row) => ({
      ...row,
      roms: [...(row.roms ?? []), romOf('cue', 'A.cue'), romOf('gdi', 'A.gdi')],
    }));
    await library.take(dat, saturn);
    await writeDisc(library, '.', 'x.cue', [
      ['d.bin', a[0] as Buffer],
      ['s.bin', audio('other')],
    ]);
    await library.write('x.gdi', gdiOf(['d.bin', 's.bin']));
    await library.scan({ hash: true });
    expect(await allFound(library, 'x.cue', 'x.gdi', 's.bin')).toEqual([
      'sha1: A, A.cue',
      'sha1: A, A.gdi',
      'sha1: A',
    ]);
  });

  test('a sheet that lies joins nothing: other folders, itself, many files', async () => {
    const library = await useLibrary();
    await library.take(rows, saturn);
    await library.write('in/d.bin', a[0]);
    await library.write('up.bin', audio('up'));
    const many = Array.from({ length: 1500 }, (_, i) => `${i}.bin`);
    await library.write('in/x.cue', cueOf(['d.bin', '../up.bin', '/etc/passwd', 'x.cue', ...many]));
    await library.scan({ hash: true });
    expect(await allFound(library, 'd.bin', 'up.bin', 'x.cue')).toEqual([
      'sha1: A, A (Track 1).bin',
      null,
      'sha1: A',
    ]);
  });

  test('are matched anew when a sheet comes, changes or goes, and a sibling goes or moves', async () => {
    const library = await useLibrary();
    await library.take(rows, saturn);
    await library.write('d.bin', a[0]);
    const sound = await library.write('s.bin', audio('other'));
    await library.scan({ hash: true });
    expect(await found(library, 's.bin')).toBeNull();
    const cue = await library.write('x.cue', cueOf(['d.bin', 's.bin']));
    await library.scan();
    expect(await allFound(library, 'x.cue', 's.bin')).toEqual(['sha1: A', 'sha1: A']);
    await rename(sound, join(library.games.path, 't.bin'));
    await library.scan();
    expect(await allFound(library, 'x.cue', 't.bin')).toEqual(['sha1: A', null]);
    await writeFile(cue, `${cueOf(['d.bin', 't.bin'])} `);
    await library.scan();
    expect(await found(library, 't.bin')).toBe('sha1: A');
    await rm(join(library.games.path, 'd.bin'));
    await library.scan();
    expect(await allFound(library, 'x.cue', 't.bin')).toEqual(['serial: A', null]);
    await library.write('d.bin', a[0]);
    await library.scan();
    expect(await found(library, 't.bin')).toMatch('serial: A');
    await rm(cue);
    await library.scan();
    expect(await found(library, 't.bin')).toBeNull();
    expect(await library.stored('t.bin', 'set_key')).toBeNull();
  });

  test('are matched anew when the catalogue changes; nothing is asked when nothing did', async () => {
    const library = await useLibrary();
    await writeDisc(library, '.', 'x.cue', [
      ['d.bin', a[0] as Buffer],
      ['s.bin', audio('other')],
    ]);
    await library.scan({ hash: true });
    await library.take(rows, saturn);
    const report = await library.scan();
    expect(report).toMatchObject({ looked: 0, inSets: 3, matchesLost: 0, matchesChanged: 0 });
    expect(await found(library, 's.bin')).toBe('sha1: A');
    const { version } = await library.records.scanned.stateOf(library.games);
    await library.scan();
    expect(await library.records.scanned.stateOf(library.games)).toEqual({
      version,
      isSettled: true,
    });
  });

  test('what follows a sibling’s SHA-1 is hashed all the same', async () => {
    const library = await useLibrary();
    await library.take(rows, saturn);
    await writeDisc(library, '.', 'x.cue', [['d.bin', a[0] as Buffer]]);
    await library.scan({ hash: true });
    await library.write('s.bin', a[1]);
    await library.write('x.cue', cueOf(['d.bin', 's.bin']));
    await library.scan();
    expect(await found(library, 's.bin')).toMatch('sha1: A');
    expect(await library.scan({ hash: true })).toMatchObject({ hashed: 2 });
    expect(await library.stored('s.bin', 'sha1')).toBe(romOf(a[1] as Buffer, '').sha1);
  });
});

describe('one file with all tracks', () => {
  const tracks = [data('A', 'T-1'), audio('one'), audio('two', 12)];
  const merged = Buffer.concat(tracks);
  const frame = (n: number) => `00:00:${String(n).padStart(2, '0')}`;
  const first = (tracks[0] as Buffer).length / 2352;
  // the second track's pregap of four frames belongs to its file
  const cue = [
    'FILE "m.bin" BINARY',
    'TRACK 01 MODE1/2352',
    `INDEX 01 ${frame(0)}`,
    'TRACK 02 AUDIO',
    `INDEX 00 ${frame(first)}`,
    `INDEX 01 ${frame(first + 4)}`,
    'TRACK 03 AUDIO',
    `INDEX 01 ${frame(first + 10)}`,
  ].join('\n');

  test('is compared track by track', async () => {
    const library = await useLibrary();
    const other = [tracks[0] as Buffer, audio('else'), tracks[2] as Buffer];
    await library.take(
      [release('B', other, { serial: 'T-1' }), release('A', tracks, { serial: 'T-1' })],
      saturn,
    );
    await library.write('m.bin', merged);
    await library.write('x.cue', cue);
    const members = { 'x.cue': cue, 'm.bin': merged };
    const zip = zipOf(Object.entries(members).map(([name, content]) => ({ name, content })));
    await library.write('x.zip', zip);
    await library.scan();
    const tie = 'tie of B and A';
    expect(await allFound(library, 'm.bin', 'x.zip')).toEqual([tie, tie]);
    await library.scan({ hash: true });
    expect(await allFound(library, 'x.cue', 'm.bin')).toEqual(['sha1: A', 'sha1: A']);
    expect(await found(library, 'x.zip')).toBe('sha1: A, A (Track 1).bin');
    const { tracks: hashed } = JSON.parse(String(await library.stored('m.bin', 'identity')));
    expect(hashed).toEqual(
      tracks.map((track, i) => {
        const { sha1, md5, crc, size } = romOf(track, '');
        return { number: i + 1, isAudio: i > 0, size, hashes: { sha1, md5, crc32: crc } };
      }),
    );
    expect(await library.stored('m.bin', 'sha1')).toBe(romOf(merged, '').sha1);
    expect(await library.scan({ hash: true })).toMatchObject({ hashed: 0 });
  });

  test('is hashed again when its sheet comes later, but not what the catalogue has as one file', async () => {
    const library = await useLibrary();
    await library.take([release('A', tracks)], saturn);
    await library.write('m.bin', merged);
    await library.scan({ hash: true });
    expect(await found(library, 'm.bin')).toBeNull();
    await library.write('x.cue', cue);
    expect(await library.scan({ hash: true })).toMatchObject({ hashed: 2 });
    expect(await found(library, 'm.bin')).toBe('sha1: A');
    const whole = await useLibrary();
    await whole.take([release('One', [merged])], saturn);
    await whole.write('m.bin', merged);
    await whole.scan({ hash: true });
    await whole.write('x.cue', cue);
    expect(await whole.scan({ hash: true })).toMatchObject({ hashed: 1 });
    expect(await found(whole, 'm.bin')).toBe('sha1: One, One (Track 1).bin');
  });
});

describe('images of other programs', () => {
  const a = [data('A', 'T-1'), audio('one'), audio('two', 12)];
  const burnt = a.map((content, i) => ({ content, isAudio: i > 0 }));
  const rows = [release('B', [a[0] as Buffer, audio('b')]), release('A', a)];

  test('CloneCD: all three files go where their tracks do', async () => {
    const library = await useLibrary();
    await library.take(rows, saturn);
    await library.write('x.ccd', makeCcd(burnt));
    await library.write('x.img', Buffer.concat(a));
    await library.write('x.sub', Buffer.alloc(96 * 58, 1));
    await library.scan({ hash: true });
    const names = ['x.ccd', 'x.img', 'x.sub'];
    expect(await allFound(library, ...names)).toEqual(['sha1: A', 'sha1: A', 'sha1: A']);
    for (const [i, name] of names.entries()) {
      await rename(
        join(library.games.path, name),
        join(library.games.path, `y${i}${name.slice(1)}`),
      );
    }
    await library.scan();
    // under other names they are none of one another
    expect(await allFound(library, 'y0.ccd', 'y2.sub')).toEqual([null, null]);
    for (const [i, name] of names.entries()) {
      await rename(
        join(library.games.path, `y${i}${name.slice(1)}`),
        join(library.games.path, `z${name.slice(1)}`),
      );
    }
    await library.scan();
    expect(await allFound(library, 'z.ccd', 'z.img', 'z.sub')).toEqual([
      'sha1: A',
      'sha1: A',
      'sha1: A',
    ]);
  });

  test('Alcohol, with subchannels', async () => {
    const library = await useLibrary();
    await library.take(rows, saturn);
    const { mds, mdf } = makeMds(burnt, 96);
    await library.write('x.mds', mds);
    await library.write('x.mdf', mdf);
    await library.scan({ hash: true });
    expect(await allFound(library, 'x.mds', 'x.mdf')).toEqual(['sha1: A', 'sha1: A']);
  });

  test('Nero and DiscJuggler: a data track that two share follows the others in the file', async () => {
    const library = await useLibrary();
    await library.take(rows, saturn);
    await library.write('x.nrg', makeNrg(burnt));
    await library.write('x.cdi', makeCdi(burnt));
    await library.scan({ hash: true });
    const one = 'sha1: A, A (Track 1).bin';
    expect(await allFound(library, 'x.nrg', 'x.cdi')).toEqual([one, one]);
  });

  test('parts: the first one is hashed for all, the others follow it', async () => {
    const library = await useLibrary();
    const [image = Buffer.alloc(0)] = a;
    await library.take([release('A', [image])], saturn);
    await library.write('x.bin.001', image.subarray(0, 9999));
    await library.write('x.bin.002', image.subarray(9999));
    expect(await library.scan({ hash: true })).toMatchObject({ hashed: 1, unreadable: [] });
    expect(await allFound(library, 'x.bin.001', 'x.bin.002')).toEqual([
      'sha1: A, A (Track 1).bin',
      'sha1: A',
    ]);
    expect(await library.scan({ hash: true })).toMatchObject({ hashed: 0 });
  });

  test('a part that changes, goes or comes: the image is hashed anew, and no other one is', async () => {
    const library = await useLibrary();
    const [image = Buffer.alloc(0)] = a;
    const other = audio('other');
    await library.take([release('A', [image])], saturn);
    await library.write('x.bin.001', image.subarray(0, 9999));
    const path = await library.write('x.bin.002', image.subarray(9999));
    await library.write('y.bin.001', other.subarray(0, 5000));
    await library.write('y.bin.002', other.subarray(5000));
    const parts = () => allFound(library, 'x.bin.001', 'x.bin.002');
    const right = ['sha1: A, A (Track 1).bin', 'sha1: A'];
    const scan = async () => {
      library.forgetCalls();
      await library.scan({ hash: true });
      return library.hashed;
    };
    expect(await scan()).toHaveLength(2);
    expect(await parts()).toEqual(right);
    const changed = Buffer.from(image.subarray(9999));
    changed[3000] = (changed[3000] ?? 0) ^ 1;

    await library.write('x.bin.002', changed);
    await touch(path, 1_000_000_000);
    expect(await scan()).toEqual(['games/x.bin.001']);
    expect(await parts()).toEqual([null, null]);

    await library.write('x.bin.002', image.subarray(9999));
    expect(await scan()).toEqual(['games/x.bin.001']);
    expect(await parts()).toEqual(right);

    await rm(path);
    expect(await scan()).toEqual(['games/x.bin.001']);
    expect(await found(library, 'x.bin.001')).toBeNull();

    await library.write('x.bin.002', image.subarray(9999));
    expect(await scan()).toEqual(['games/x.bin.001']);
    expect(await parts()).toEqual(right);

    // all that moves together stays what it is
    for (const part of ['001', '002']) {
      const at = (name: string) => join(library.games.path, name);
      await rename(at(`x.bin.${part}`), at(`z.${part}`));
    }
    expect(await scan()).toEqual([]);
    expect(await allFound(library, 'z.001', 'z.002')).toEqual(right);

    // without the first part the second is a file of its own
    await rm(join(library.games.path, 'z.001'));
    expect(await scan()).toEqual(['games/z.002']);
    await library.write('z.001', image.subarray(0, 9999));
    expect(await scan()).toEqual(['games/z.001']);
    expect(await allFound(library, 'z.001', 'z.002')).toEqual(right);
  });
});

describe('playlists', () => {
  const disc = (n: number) => [data(`disc ${n}`, `T-${n}`), audio(`${n}`)];
  async function library(lines: string) {
    const made = await useLibrary();
    await made.take(
      [1, 2].map((n) => release(`Game (Disc ${n})`, disc(n), { serial: `T-${n}` })),
      saturn,
    );
    for (const [folder, n] of [
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ] as const) {
      await writeDisc(
        made,
        folder,
        `${folder}.cue`,
        disc(n).map((track, i) => [`${folder}${i}.bin`, track]),
      );
    }
    await made.write('x.m3u', lines);
    await made.scan();
    return made;
  }

  test('take their discs’ release only when all are of the same', async () => {
    expect(await found(await library('#EXTM3U\na/a.cue\nc\\c.cue\n'), 'x.m3u')).toBe(
      'serial: Game (Disc 1)',
    );
    expect(await found(await library('a/a.cue\nb/b.cue'), 'x.m3u')).toBeNull();
    expect(await found(await library('a/a.cue\nmissing.cue'), 'x.m3u')).toBeNull();
    expect(await found(await library('../games/a/a.cue'), 'x.m3u')).toBeNull();
  });

  test('join nothing: discs stay what they are', async () => {
    const one = await library('a/a.cue\nb/b.cue');
    expect(await allFound(one, 'a.cue', 'b.cue')).toEqual([
      'serial: Game (Disc 1)',
      'serial: Game (Disc 2)',
    ]);
  });
});

test('a CHD of which releases share the data track follows its other tracks', async () => {
  const library = await useLibrary();
  const same = data('same', 'T-1');
  const rows = ['First', 'Second'].map((name) =>
    release(name, [same, audio(name), audio('both')], { serial: 'T-1' }),
  );
  await library.take(rows, saturn);
  for (const [name, sound] of [
    ['x', audio('Second')],
    ['y', audio('neither')],
  ] as const) {
    const identity = {
      ...(await localDisk().identify(await library.write('plain.bin', same))),
      container: 'chd' as const,
      tracks: [same, sound, audio('both')].map((track, i) => {
        const { size, sha1, md5, crc } = romOf(track, '');
        return { number: i + 1, isAudio: i > 0, size, hashes: { sha1, md5, crc32: crc } };
      }),
    };
    const { hashes = null, size = 0 } = identity.tracks[0] ?? {};
    const file = { path: `/${name}`, name, size: 1, mtimeNs: 0n, inode: 0n, identity, reader: '' };
    const whole = hashes && { ...hashes, size };
    const [scan] = await matchFiles(library.records.catalogue, [{ ...file, hashes: whole }]);
    if (name === 'x') {
      const { name: decided } = await library.catalog.releases.get(scan?.match?.releaseId ?? 0);
      expect([decided, scan?.match]).toMatchObject([
        'Second',
        { method: 'sha1', canonical: 'Second (Track 1).bin' },
      ]);
    } else expect([scan?.match, scan?.tied.length]).toEqual([null, 2]);
  }
});
