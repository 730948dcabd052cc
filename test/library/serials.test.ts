import { describe, expect, test } from 'vitest';
import { findRealDat } from '../support/data/dats.ts';
import { makeIso, nintendoImage, paramSfo } from '../support/images/disc-images.ts';
import { toolsSkipReason } from '../support/tools.ts';
import { gamecube, pspDisc } from './discs.ts';
import { romOf, useLibrary } from './library-fixture.ts';

const xorrisoSkipReason = toolsSkipReason('xorriso');

describe('the matching by serial', () => {
  /**
   * Scans a library with discs that only their serials can match. Returns the method by which each
   * disc is matched.
   */
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

  describe.skipIf(xorrisoSkipReason !== null)(`of PSP discs ${xorrisoSkipReason ?? ''}`, () => {
    test('compares serials without hyphens, dots and revisions, also in a list', async () => {
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

    test('matches a serial only on platforms that fit the disc', async () => {
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

    test('matches no release of a wrong platform by name, but does so by hash', async () => {
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

    test('treats the ID of a UMD Video as a title, not as a serial', async () => {
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

  test('matches a Nintendo id6 to the same id6 or a serial with its four letters', async () => {
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

  test('prefers the same Nintendo id6 to a serial with the same four letters', async () => {
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

const psp = findRealDat('Sony - PlayStation Portable.dat');
const video = findRealDat('Sony - PlayStation Portable (UMD Video).dat');
const datsSkipReason =
  psp && video && xorrisoSkipReason === null
    ? null
    : (xorrisoSkipReason ?? 'skipped: needs the real DATs');
describe('the matching with real DATs', () => {
  test.skipIf(datsSkipReason !== null)(
    `finds PSP discs by serial and a UMD Video by name ${datsSkipReason ?? ''}`,
    { tags: ['full'] },
    async () => {
      const library = await useLibrary();
      await library.importFile(psp as string);
      await library.importFile(video as string);
      await library.write('nonsense 1.iso', pspDisc('ULES-00288'));
      await library.write('nonsense 2.bin', pspDisc('ULJM-06340'));
      await library.write('10,000 BC (Europe).iso', 'noise');
      await library.scan();
      const [one, two, film] = await Promise.all(
        ['nonsense 1.iso', 'nonsense 2.bin', '10,000 BC (Europe).iso'].map((n) =>
          library.matchOf(n),
        ),
      );
      expect(one?.method).toBe('serial');
      expect(two).toEqual({ release: '-8 (Japan)', method: 'serial', canonical: '-8 (Japan).iso' });
      expect(film).toEqual({
        release: '10,000 BC (Europe)',
        method: 'name',
        canonical: '10,000 BC (Europe).iso',
      });
    },
  );
});
