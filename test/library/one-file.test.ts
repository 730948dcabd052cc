import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { matchFiles } from '../../src/core/library/match/match-files.ts';
import { zipOf } from '../imports/support/zip-file.ts';
import { makeCcd, makeCdi, makeMds, makeNrg } from '../support/images/burner-images.ts';
import { allFound, audio, data, found, release, saturn, writeDisc } from './discs.ts';
import { realDisk, romOf, touch, useLibrary } from './library-fixture.ts';

describe('a single file with all tracks of a disc', () => {
  const tracks = [data('A', 'T-1'), audio('one'), audio('two', 12)];
  const merged = Buffer.concat(tracks);
  const frame = (n: number) => `00:00:${String(n).padStart(2, '0')}`;
  const first = (tracks[0] as Buffer).length / 2352;
  // the second track's pregap of four frames is in the same file as the track
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

  test('is matched track by track, plain or in a zip', async () => {
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

  test('is hashed again when a sheet is added, unless the DAT lists it as one file', async () => {
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

describe('the matching of images from burning programs', () => {
  const a = [data('A', 'T-1'), audio('one'), audio('two', 12)];
  const burnt = a.map((content, i) => ({ content, isAudio: i > 0 }));
  const rows = [release('B', [a[0] as Buffer, audio('b')]), release('A', a)];

  test('matches all three files of a CloneCD image by their tracks', async () => {
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
    // with different names, the files no longer belong together
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

  test('matches both files of an Alcohol image with subchannels', async () => {
    const library = await useLibrary();
    await library.take(rows, saturn);
    const { mds, mdf } = makeMds(burnt, 96);
    await library.write('x.mds', mds);
    await library.write('x.mdf', mdf);
    await library.scan({ hash: true });
    expect(await allFound(library, 'x.mds', 'x.mdf')).toEqual(['sha1: A', 'sha1: A']);
  });

  test('decides a shared data track of a Nero or DiscJuggler file by other tracks', async () => {
    const library = await useLibrary();
    await library.take(rows, saturn);
    await library.write('x.nrg', makeNrg(burnt));
    await library.write('x.cdi', makeCdi(burnt));
    await library.scan({ hash: true });
    const one = 'sha1: A, A (Track 1).bin';
    expect(await allFound(library, 'x.nrg', 'x.cdi')).toEqual([one, one]);
  });

  test('hashes the parts of an image as one file, and matches all with its release', async () => {
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

  test('hashes a split image again only when a part is changed, removed or added', async () => {
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

    // parts that are renamed consistently still match
    for (const part of ['001', '002']) {
      const at = (name: string) => join(library.games.path, name);
      await rename(at(`x.bin.${part}`), at(`z.${part}`));
    }
    expect(await scan()).toEqual([]);
    expect(await allFound(library, 'z.001', 'z.002')).toEqual(right);

    // without the first part, the second part counts as a separate file
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

  test('take the release of their discs only if all discs have the same one', async () => {
    expect(await found(await library('#EXTM3U\na/a.cue\nc\\c.cue\n'), 'x.m3u')).toBe(
      'serial: Game (Disc 1)',
    );
    expect(await found(await library('a/a.cue\nb/b.cue'), 'x.m3u')).toBeNull();
    expect(await found(await library('a/a.cue\nmissing.cue'), 'x.m3u')).toBeNull();
    expect(await found(await library('../games/a/a.cue'), 'x.m3u')).toBeNull();
  });

  test('leave each of their discs its own match', async () => {
    const one = await library('a/a.cue\nb/b.cue');
    expect(await allFound(one, 'a.cue', 'b.cue')).toEqual([
      'serial: Game (Disc 1)',
      'serial: Game (Disc 2)',
    ]);
  });
});

describe('the matching of a disc in one file', () => {
  test('decides between releases that share the data track of a CHD by other tracks', async () => {
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
        ...(await realDisk.identify(await library.write('plain.bin', same))),
        container: 'chd' as const,
        tracks: [same, sound, audio('both')].map((track, i) => {
          const { size, sha1, md5, crc } = romOf(track, '');
          return { number: i + 1, isAudio: i > 0, size, hashes: { sha1, md5, crc32: crc } };
        }),
      };
      const { hashes = null, size = 0 } = identity.tracks[0] ?? {};
      const file = {
        path: `/${name}`,
        name,
        size: 1,
        mtimeNs: 0n,
        inode: 0n,
        identity,
        reader: '',
      };
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
});
