import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RomText, RowText } from '../imports/dat-text.ts';
import { zipOf } from '../imports/zip-file.ts';
import { makeChd } from '../support/chd.ts';
import { findRealDat } from '../support/dats.ts';
import { makeIso, nintendoImage, paramSfo } from '../support/disc-images.ts';
import { makeRaw } from '../support/packed-images.ts';
import { lackOf, runTool } from '../support/tools.ts';
import { type LibraryFixture, romOf, useLibrary } from './library-fixture.ts';

const gamecube = nintendoImage('GW7E69', 'A disc', 'gamecube');
const noIso = lackOf('xorriso');
const noChd = lackOf('xorriso', 'chdman');

const pspDisc = (id: string) =>
  makeIso(
    { 'UMD_DATA.BIN': `${id}|`, 'PSP_GAME/PARAM.SFO': paramSfo({ DISC_ID: id.replace('-', '') }) },
    { sysid: 'PSP GAME' },
  );

/** One release for each method, each pointed at by nothing else. */
const pointers: Record<string, RowText> = (() => {
  const { size, crc, md5, sha1 } = romOf(gamecube, '');
  return {
    sha1: { name: 'By sha1', roms: [{ name: 'sha1.iso', size: 1, sha1 }] },
    md5: { name: 'By md5', roms: [{ name: 'md5.iso', size: 2, md5 }] },
    crc32: { name: 'By crc32', roms: [{ name: 'crc32.iso', size, crc }] },
    serial: { name: 'By serial', serial: 'GW7E69', roms: [{ name: 'serial.iso', size: 3 }] },
    name: { name: 'Odd name', roms: [{ name: 'named.iso', size: 4 }] },
  };
})();
const strongestFirst = Object.keys(pointers);

describe('the methods', () => {
  test.each(strongestFirst.map((method, index) => [method, index] as const))(
    '%s is tried before all that is weaker, and after all that is stronger',
    async (method, index) => {
      const library = await useLibrary();
      await library.write('Odd name.iso', gamecube);
      await library.take(Object.values(pointers).slice(index).reverse());
      await library.scan({ hash: true });
      const { name, roms } = pointers[method] as RowText;
      const canonical = roms?.[0]?.name;
      expect(await library.matchOf('Odd name.iso')).toEqual({ release: name, method, canonical });
    },
  );

  test('without hashing only serial and name are tried', async () => {
    const library = await useLibrary();
    await library.write('Odd name.iso', gamecube);
    await library.take(Object.values(pointers));
    await library.scan();
    expect(await library.matchOf('Odd name.iso')).toMatchObject({ method: 'serial' });
  });

  test('a CRC-32 of another size is no evidence', async () => {
    const library = await useLibrary();
    await library.write('x.iso', gamecube);
    const { crc, size } = romOf(gamecube, '');
    await library.take([{ name: 'Other', roms: [{ name: 'o.iso', size: size + 1, crc }] }]);
    await library.scan({ hash: true });
    expect(await library.matchOf('x.iso')).toBeNull();
  });

  test('an empty file is no empty ROM of some release', async () => {
    const library = await useLibrary();
    await library.write('empty.bin', '');
    await library.take([{ name: 'With an empty track', roms: [romOf('', 'track 2.bin')] }]);
    await library.scan({ hash: true });
    expect(await library.matchOf('empty.bin')).toBeNull();
  });

  test('what was read and what it pointed at is kept as JSON', async () => {
    const library = await useLibrary();
    await library.write('Odd name.iso', gamecube);
    await library.take(Object.values(pointers));
    await library.scan({ hash: true });
    const ids = Object.fromEntries(
      (
        await library.catalog.releases.list({
          ...everything,
          limit: 50,
          offset: 0,
        })
      ).map(({ id, name }) => [name, id]),
    );
    const evidence = JSON.parse(String(await library.stored('Odd name.iso', 'evidence')));
    expect(evidence.pointedAt).toEqual({
      sha1: [ids['By sha1']],
      md5: [ids['By md5']],
      crc32: [ids['By crc32']],
      serial: [ids['By serial']],
      name: [ids['Odd name']],
    });
    expect(Object.values(evidence.read)).toContain('GW7E69');
  });

  test.skipIf(noChd !== null)(
    `a CHD that is found by the hash it states is not read for hashes ${noChd ?? ''}`,
    async () => {
      const library = await useLibrary();
      const iso = pspDisc('ULES-01413');
      const path = await library.write('x.iso', iso);
      const chd = join(library.games.path, 'x.chd');
      runTool('chdman', ['createraw', '-i', path, '-o', chd, '-hs', '2048', '-us', '2048']);
      await library.take([{ name: 'Dumped', roms: [romOf(iso, 'Dumped.iso')] }]);
      const expected = { release: 'Dumped', method: 'sha1', canonical: 'Dumped.iso' };
      await library.scan();
      expect(await library.matchOf('x.chd')).toEqual(expected);
      library.forgetCalls();
      expect((await library.scan({ hash: true })).hashed).toBe(1);
      expect(library.hashed).toEqual(['games/x.iso']);
      expect(await library.matchOf('x.chd')).toEqual(expected);
      expect((await library.scan({ hash: true, full: true })).hashed).toBe(2);
      expect(await library.matchOf('x.chd')).toEqual(expected);
    },
  );

  test('a CHD that states the hash of another image is believed until it is verified', async () => {
    const library = await useLibrary();
    const [iso, other] = [pspDisc('ULES-01413'), Buffer.from('of another game')];
    const form = {
      codecs: ['zlib'],
      hunkBytes: 2048,
      unitBytes: 2048,
      pack: () => 'stored' as const,
    };
    const chd = makeChd(iso, form);
    Buffer.from(romOf(other, '').sha1, 'hex').copy(chd, 64);
    await library.write('honest.chd', makeChd(iso, form));
    await library.write('lying.chd', chd);
    await library.take([
      { name: 'Claimed', roms: [romOf(other, 'Claimed.iso')] },
      { name: 'Dumped', roms: [romOf(iso, 'Dumped.iso')] },
    ]);
    await library.scan({ hash: true });
    expect(library.hashed).toEqual([]);
    expect(await library.matchOf('lying.chd')).toMatchObject({ release: 'Claimed' });

    const report = await library.scan({ hash: true, verify: true });
    expect(report).toMatchObject({
      hashed: 2,
      damaged: [
        {
          path: join(library.games.path, 'lying.chd'),
          reason: 'its content has another SHA-1 than its header states',
        },
      ],
    });
    for (const name of ['lying.chd', 'honest.chd']) {
      expect(await library.matchOf(name)).toMatchObject({ release: 'Dumped', method: 'sha1' });
    }
    expect((await library.scan({ hash: true, verify: true })).hashed).toBe(0);
  });
});

test.skipIf(noChd !== null)(
  `a CD in a CHD that is found by what it states is compared with it by --verify alone ${noChd ?? ''}`,
  async () => {
    const library = await useLibrary();
    const [index, sound] = ['    INDEX 01 00:00:00', Buffer.alloc(2352 * 300, 'sound')];
    await library.write('data.bin', makeRaw(makeIso({ 'A.BIN': 'a' }), 1));
    await library.write('sound.bin', sound);
    const sheet = `FILE data.bin BINARY\n  TRACK 01 MODE1/2352\n${index}\nFILE sound.bin BINARY\n  TRACK 02 AUDIO\n${index}\n`;
    const chd = join(library.games.path, 'x.chd');
    const cue = await library.write('x.cue', sheet);
    runTool('chdman', ['createcd', '-i', cue, '-o', chd]);
    const whole = readFileSync(chd);
    const claimed = (at: number) => {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ 1;
      return bytes;
    };
    await library.write('content.chd', claimed(64));
    await library.write('metadata.chd', claimed(84));
    const stated = [whole, claimed(84)].map((bytes) => bytes.toString('hex', 84, 104));
    await library.take(
      stated.map((sha1, i) => ({ name: `Disk ${i}`, roms: [{ name: `d${i}.chd`, sha1 }] })),
    );
    await library.scan();
    const path = (name: string) => join(library.games.path, name);
    for (const name of ['x.chd', 'content.chd', 'metadata.chd']) {
      expect(await library.matchOf(name)).toMatchObject({ method: 'sha1' });
    }
    await library.scan({ hash: true });
    expect(library.hashed).toEqual(expect.not.arrayContaining(['games/x.chd']));
    const { damaged } = await library.scan({ hash: true, verify: true });
    expect(damaged.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      {
        path: path('content.chd'),
        reason: 'its content has another SHA-1 than its header states',
      },
      {
        path: path('metadata.chd'),
        reason: 'its metadata is not that of which its header states the SHA-1',
      },
    ]);
    expect(await library.matchOf('x.chd')).toMatchObject({ release: 'Disk 0', method: 'sha1' });
    expect(await library.matchOf('content.chd')).toBeNull();
    expect(await library.matchOf('metadata.chd')).toBeNull();
    expect((await library.scan({ hash: true, verify: true })).hashed).toBe(0);
  },
);

test('a CHD that states the hash of a game with another serial than its disc states is none of it', async () => {
  const library = await useLibrary();
  const iso = pspDisc('ULES-01413');
  const form = {
    codecs: ['zlib'],
    hunkBytes: 2048,
    unitBytes: 2048,
    pack: () => 'stored' as const,
  };
  const chd = makeChd(iso, form);
  const claimed = romOf('of another game', 'Claimed.iso');
  Buffer.from(claimed.sha1, 'hex').copy(chd, 64);
  await library.write('lying.chd', chd);
  const disc = pspDisc('ULES-00099'); // once: xorriso writes the time into it
  await library.write('honest.chd', makeChd(disc, form));
  const psp = 'Sony - PlayStation Portable';
  await library.take([{ name: 'Claimed', serial: 'ULES-01414', roms: [claimed] }], psp);
  const honest = romOf(disc, 'Honest.iso');
  await library.take([{ name: 'Honest', serial: 'ULES-00199', roms: [honest] }], psp, 'other');
  await library.scan();
  expect(await library.matchOf('lying.chd')).toBeNull();
  expect(await library.matchOf('honest.chd')).toBeNull();

  const { damaged } = await library.scan({ hash: true });
  expect(damaged).toHaveLength(1);
  expect(await library.matchOf('lying.chd')).toBeNull();
  // a list may have another serial, or a wrong one: the content decides
  expect(await library.matchOf('honest.chd')).toMatchObject({ release: 'Honest', method: 'sha1' });
});

describe('ties', () => {
  const tied =
    (rows: readonly RowText[], name = 'x.iso') =>
    async () => {
      const library = await useLibrary();
      await library.write(name, gamecube);
      await library.take(rows);
      await library.scan({ hash: true });
      return (await library.matchOf(name))?.release;
    };
  const dump = (name: string): RomText => ({ ...romOf(gamecube, name) });
  const other = (size: number, name = 'o.iso'): RomText => ({
    name,
    size,
    sha1: `${size}`.padStart(40, 'a'),
  });

  test('the own serial decides before the name', async () => {
    const rows = [
      { name: 'x', serial: 'GW7P69', roms: [dump('x.iso')] },
      { name: 'Own serial', serial: 'GW7E69', roms: [dump('z.iso')] },
    ];
    expect(await tied(rows)()).toBe('Own serial');
  });

  test('then the size of the image, before the name', async () => {
    const rows = [
      { name: 'x', serial: 'GW7E69', roms: [other(7)] },
      { name: 'Own size', serial: 'GW7E69', roms: [other(gamecube.length)] },
    ];
    expect(await tied(rows)()).toBe('Own size');
  });

  test('then the name', async () => {
    const rows = [
      { name: 'First', serial: 'GW7E69', roms: [other(7)] },
      { name: 'x', serial: 'GW7E69', roms: [other(8)] },
    ];
    expect(await tied(rows)()).toBe('x');
  });

  test('releases with the same bytes go to the lowest id', async () => {
    const rows = ['C', 'A', 'B'].map((name) => ({ name, roms: [dump(`${name}.iso`)] }));
    expect(await tied(rows)()).toBe('C');
  });

  test.skipIf(noIso !== null)(`the size is that of the image in a CSO ${noIso ?? ''}`, async () => {
    const { makeCso } = await import('../support/packed-images.ts');
    const library = await useLibrary();
    const iso = pspDisc('ULES-01413');
    await library.write('x.cso', makeCso(iso));
    await library.take(
      [
        { name: 'Other size', serial: 'ULES-01413', roms: [other(7)] },
        { name: 'Own size', serial: 'ULES-01413', roms: [other(iso.length)] },
      ],
      'Sony - PlayStation Portable',
    );
    await library.scan();
    expect((await library.matchOf('x.cso'))?.release).toBe('Own size');
  });
});

describe('serials', () => {
  /** How a disc is found by the serial alone, one row after the other in one library. */
  const bySerial = async (rows: readonly { disc: Buffer; serial: string; platform: string }[]) => {
    const library = await useLibrary();
    const platforms = Map.groupBy(rows, (row) => row.platform);
    for (const [platform, ofPlatform] of platforms) {
      const releases = ofPlatform.map(({ serial }, index) => {
        return { name: `${platform} ${index}`, serial, roms: [{ name: `${index}`, size: index }] };
      });
      await library.take(releases, platform);
    }
    for (const [index, { disc }] of rows.entries()) await library.write(`x ${index}.iso`, disc);
    await library.scan();
    const found = rows.map((_, index) => library.matchOf(`x ${index}.iso`));
    return (await Promise.all(found)).map((match) => match?.method ?? null);
  };

  describe.skipIf(noIso !== null)(`of a PSP disc ${noIso ?? ''}`, () => {
    test('are compared without hyphens, dots and revisions, also several in one field', async () => {
      const serials = [
        ['ULES-01401', 'ULES-01401', 'serial'],
        ['ULES-01402', 'ules01402', 'serial'],
        ['ULES-01403', 'ULES_014.03', 'serial'],
        ['ULES-01404', 'ULES-01404/1.00', 'serial'],
        ['ULES-01405', 'ULES-01405-0', 'serial'],
        ['ULES-01406', 'ULUS-10505, ULES-01406', 'serial'],
        ['ULES-01407', 'ULUS-10505; ULES 01407', 'serial'],
        ['ULES-01408', 'ULES-0140', null],
        ['ULES-01409', 'ULES-014090', null],
        ['ULES-01410', '', null],
      ] as const;
      const platform = 'Sony - PlayStation Portable';
      const found = await bySerial(
        serials.map(([id, serial]) => ({ disc: pspDisc(id), serial, platform })),
      );
      expect(serials.map(([id, serial], index) => [id, serial, found[index]])).toEqual(serials);
    });

    test('point only at platforms that fit', async () => {
      const platforms = [
        ['Sony - PlayStation Portable', 'serial'],
        ['Sony - PlayStation Portable (PSN)', 'serial'],
        ['sony playstation portable minis', 'serial'],
        ['Sony - PlayStation', null],
        ['Sony - PlayStation 2', null],
        ['Sony - PlayStation 3 (PSN)', null],
        ['Sony - PlayStation Portable (UMD Video)', null],
        ['Nintendo - Wii', null],
      ] as const;
      const found = await bySerial(
        platforms.map(([platform], index) => {
          const serial = `ULES-0150${index}`;
          return { disc: pspDisc(serial), serial, platform };
        }),
      );
      expect(platforms.map(([platform], index) => [platform, found[index]])).toEqual(platforms);
    });

    test('a platform that does not fit is none by name either, but by hash', async () => {
      const library = await useLibrary();
      const disc = pspDisc('ULES-01413');
      await library.write('Found.iso', disc);
      await library.take(
        [{ name: 'Found', roms: [romOf(disc, 'Found.iso')] }],
        'Sony - PlayStation',
      );
      await library.scan();
      expect(await library.matchOf('Found.iso')).toBeNull();
      await library.scan({ hash: true });
      expect(await library.matchOf('Found.iso')).toMatchObject({ method: 'sha1' });
    });

    test('the field of a UMD Video is a title, no serial', async () => {
      const library = await useLibrary();
      const film = makeIso(
        { 'UMD_DATA.BIN': 'UVUS-10041|', 'UMD_VIDEO/PARAM.SFO': paramSfo({ TITLE: 'A film' }) },
        { sysid: 'UMD VIDEO' },
      );
      await library.write('Film (USA).iso', film);
      await library.write('other.iso', film);
      await library.take(
        [
          { name: 'Wrong', serial: 'UVUS-10041', roms: [{ name: 'w.iso', size: film.length }] },
          { name: 'Film (USA)', roms: [{ name: 'Film (USA).iso', size: 1 }] },
        ],
        'Sony - PlayStation Portable (UMD Video)',
      );
      await library.scan();
      expect(await library.matchOf('Film (USA).iso')).toMatchObject({ method: 'name' });
      expect(await library.matchOf('other.iso')).toBeNull();
    });
  });

  test('an id6 fits the same id6, and its four letters inside a printed serial', async () => {
    const rows = [
      ['gamecube', 'GA1E69', 'DL-DOL-GA1E-USA', 'Nintendo - GameCube', 'serial'],
      ['gamecube', 'GA2E69', 'DOL-GA2E-0-USA, DL-DOL-XXXX-EUR', 'Nintendo - GameCube', 'serial'],
      ['gamecube', 'GA3E69', 'GA3E69', 'Nintendo - GameCube', 'serial'],
      ['gamecube', 'GA4E69', 'GA4E', 'Nintendo - GameCube', 'serial'],
      ['gamecube', 'GA5E69', 'DL-DOL-GA5P-EUR', 'Nintendo - GameCube', null],
      ['gamecube', 'GA6E69', 'GA6E13', 'Nintendo - GameCube', null],
      ['gamecube', 'GA7E69', 'DL-DOL-AGA7E-USA', 'Nintendo - GameCube', null],
      ['gamecube', 'GA8E69', 'DL-DOL-GA8E-USA', 'Nintendo - Wii', null],
      ['wii', 'GENJ13', 'GENJ13', 'Nintendo - Wii', 'serial'],
      ['wii', 'RA1P01', 'RVL-RA1P-EUR', 'Nintendo - Wii (Digital)', 'serial'],
      ['wii', 'RA2P01', 'RA2P01', 'Nintendo - Wii U', null],
      ['wii', 'RA3P01', 'RA3P01', 'Nintendo - GameCube', null],
    ] as const;
    const found = await bySerial(
      rows.map(([kind, id, serial, platform]) => {
        return { disc: nintendoImage(id, 'A disc', kind), serial, platform };
      }),
    );
    expect(rows.map(([...row], index) => [...row.slice(0, 4), found[index]])).toEqual(rows);
  });

  test('the own id6 decides among those with its four letters', async () => {
    const library = await useLibrary();
    await library.write('x.iso', gamecube);
    await library.take([
      { name: 'By code', serial: 'DL-DOL-GW7E-USA', roms: [{ name: 'a.iso', size: 5 }] },
      { name: 'By id6', serial: 'GW7E69', roms: [{ name: 'b.iso', size: 6 }] },
    ]);
    await library.scan();
    expect((await library.matchOf('x.iso'))?.release).toBe('By id6');
  });
});

describe('names', () => {
  const named = async (file: string, rows: readonly RowText[]) => {
    const library = await useLibrary();
    await library.write(file, 'noise that is no disc');
    await library.take(rows, 'Any - Platform');
    await library.scan();
    return library.matchOf(file);
  };

  test('of the release, with or without the ending; of its ROM', async () => {
    const rows = [{ name: 'Game 1.5 (USA)', roms: [{ name: 'g15.bin', size: 5 }] }];
    expect(await named('Game 1.5 (USA).xyz', rows)).toMatchObject({ method: 'name' });
    expect(await named('Game 1.5 (USA)', rows)).toMatchObject({ method: 'name' });
    expect(await named('g15.bin', rows)).toMatchObject({ canonical: 'g15.bin' });
    expect(await named('game 1.5 (usa).xyz', rows)).toBeNull();
    expect(await named('Game 1.5 (USA) (Rev 1).xyz', rows)).toBeNull();
  });

  test('a ROM name that several releases share is no evidence', async () => {
    const both = ['One', 'Two'].map((name, index) => ({
      name,
      roms: [{ name: 'work.bin', size: index + 5, sha1: `${index}`.padStart(40, 'b') }],
    }));
    expect(await named('work.bin', both)).toBeNull();
    expect(await named('work.bin', both.slice(1))).toMatchObject({ release: 'Two' });
  });

  test('the names of other sources count', async () => {
    const library = await useLibrary();
    await library.write('Other name (Europe).iso', 'noise');
    const roms = [romOf('dump', 'dump.iso')];
    await library.take([{ name: 'First name (Europe)', roms }], 'Any - Platform', 'first');
    await library.take([{ name: 'Other name (Europe)', roms }], 'Any - Platform', 'second');
    await library.scan();
    expect(await library.matchOf('Other name (Europe).iso')).toEqual({
      release: 'First name (Europe)',
      method: 'name',
      canonical: 'dump.iso',
    });
  });
});

describe('zips', () => {
  const [readme, track, sheet] = ['read me', 'the track', 'the sheet'];
  const rows = [
    { name: 'Sheet', roms: [romOf(sheet, 's.cue')] },
    { name: 'Disc', roms: [romOf('more', 'd.cue'), romOf(track, 'd.bin')] },
  ];
  const zip = (...members: string[]) =>
    zipOf(members.map((content, index) => ({ name: `${index}.xyz`, content })));

  test('members that one release has, also beside others; those of two releases are none', async () => {
    const library = await useLibrary();
    await library.take(rows, 'Any - Platform');
    await library.write('a.zip', zip(readme, track));
    await library.write('b.zip', zip(readme, sheet, track));
    await library.write('c.zip', zip(readme));
    await library.write('d.zip', zip('more', readme, track));
    const disc = { release: 'Disc', method: 'crc32', canonical: 'd.bin' };
    const sure = { release: 'Disc', method: 'sha1', canonical: 'd.bin' };
    for (const hash of [false, true]) {
      await library.scan({ hash });
      expect(await library.matchOf('a.zip')).toEqual(hash ? sure : disc);
      expect(await library.matchOf('b.zip')).toBeNull();
      expect(await library.matchOf('c.zip')).toBeNull();
      expect(await library.matchOf('d.zip')).toMatchObject({ release: 'Disc' });
    }
  });

  test('the canonical name is that of the member, not of a later one', async () => {
    const library = await useLibrary();
    await library.take(rows, 'Any - Platform');
    await library.write('a.zip', zip(track, 'more'));
    await library.scan();
    expect(await library.matchOf('a.zip')).toMatchObject({ canonical: 'd.bin' });
  });
});

describe('the canonical name without a matching ROM', () => {
  const canonical = async (library: LibraryFixture, sizes: readonly number[]) => {
    await library.write('x.iso', gamecube);
    const roms = sizes.map((size) => ({ name: `of ${size}.iso`, size }));
    await library.take([{ name: 'Found', serial: 'GW7E69', roms }]);
    await library.scan();
    return (await library.matchOf('x.iso'))?.canonical;
  };

  test("is that of the ROM of the image's size", async () => {
    const { length } = gamecube;
    expect(await canonical(await useLibrary(), [5, length, 7])).toBe(`of ${length}.iso`);
  });

  test('else the first', async () => {
    expect(await canonical(await useLibrary(), [9, 5, 7])).toBe('of 9.iso');
  });
});

const psp = findRealDat('Sony - PlayStation Portable.dat');
const video = findRealDat('Sony - PlayStation Portable (UMD Video).dat');
const noReal = psp && video && noIso === null ? null : (noIso ?? 'skipped: needs the real DATs');
test.skipIf(noReal !== null)(`the real PSP and UMD Video DATs ${noReal ?? ''}`, async () => {
  const library = await useLibrary();
  await library.importFile(psp as string);
  await library.importFile(video as string);
  await library.write('nonsense 1.iso', pspDisc('ULES-00288'));
  await library.write('nonsense 2.bin', pspDisc('ULJM-06340'));
  await library.write('10,000 BC (Europe).iso', 'noise');
  await library.scan();
  const [one, two, film] = await Promise.all(
    ['nonsense 1.iso', 'nonsense 2.bin', '10,000 BC (Europe).iso'].map((n) => library.matchOf(n)),
  );
  expect(one?.method).toBe('serial');
  expect(two).toEqual({ release: '-8 (Japan)', method: 'serial', canonical: '-8 (Japan).iso' });
  expect(film).toEqual({
    release: '10,000 BC (Europe)',
    method: 'name',
    canonical: '10,000 BC (Europe).iso',
  });
});

const everything = { system: '', q: '', search: '', platform: '', region: '' };
