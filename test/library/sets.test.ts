import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allFound, audio, cueOf, data, found, gdiOf, release, saturn, writeDisc } from './discs.ts';
import { type LibraryFixture, romOf, useLibrary } from './library-fixture.ts';

describe('the matching of two games that share tracks', () => {
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

  test('matches the tracks of each game with its own release', async () => {
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
    // each of these sizes occurs in only one ROM
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

  test('keeps the games apart if their sheets name the same shared tracks', async () => {
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

  test('leaves a game its data track when the sheet of the other game names it', async () => {
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

  test('leaves a data track its game when only the sheet of the other game names it', async () => {
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

  test('decides by an audio track of one game, and leaves a tie if all are shared', async () => {
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

  test('never overrides the serial that the disc states because of audio tracks', async () => {
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

  test('is matched by the audio track of its sheet, before and after hashing', async () => {
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

  test('remains tied if the audio matches neither release, unless a name decides', async () => {
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

describe('tracks without a sheet', () => {
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

  test('are grouped by disc if their names number them as tracks', async () => {
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

  test('are not a set if their names do not number them as tracks', async () => {
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

describe('sheets and the files that they name', () => {
  const a = [data('A', 'T-1'), audio('one')];
  const rows = [release('A', a, { serial: 'T-1' })];

  test('are matched together if names differ in case or other files are missing', async () => {
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

  test('have one release if a cue and a GDI name the same files', async () => {
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

  test('exclude other folders, and tolerate entries for themselves or missing files', async () => {
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

  test('are matched again when a sheet is added, changed or removed, or a file moves', async () => {
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

  test('are matched again once, without being read, when the catalogue changes', async () => {
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
      areSetsMatched: true,
    });
  });

  test('have a new file hashed even if the SHA-1 of another one matched it', async () => {
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
