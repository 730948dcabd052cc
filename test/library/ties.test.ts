import { describe, expect, test } from 'vitest';
import type { RomText, RowText } from '../imports/support/dat-text.ts';
import { makeIso, nintendoImage, paramSfo, systemArea } from '../support/images/disc-images.ts';
import { makeCso } from '../support/images/packed-images.ts';
import { toolsSkipReason } from '../support/tools.ts';
import { gamecube, pspDisc } from './discs.ts';
import { romOf, useLibrary } from './library-fixture.ts';

const xorrisoSkipReason = toolsSkipReason('xorriso');
const withXorriso = describe.skipIf(xorrisoSkipReason !== null);
const size = nintendoImage('GW7E69', '', 'gamecube').length;

/**
 * Scans a disc. Returns `<method>: <release name>` if one release matches, the names of the
 * releases if several tie, or null if none matches.
 */
type Finder = (disc: Buffer, file?: string) => Promise<string | string[] | null>;

async function finderAmong(
  rows: readonly RowText[],
  platform = 'Nintendo - GameCube',
): Promise<Finder> {
  const library = await useLibrary();
  await library.take(rows, platform);
  let discs = 0;
  return async (disc, file = `nonsense ${++discs}.bin`) => {
    await library.write(file, disc);
    await library.scan();
    const match = await library.matchOf(file);
    if (match !== null) return `${match.method}: ${match.release}`;
    const ids = JSON.parse(String(await library.stored(file, 'tied'))) as number[] | null;
    if (ids === null) return null;
    return Promise.all(ids.map(async (id) => (await library.catalog.releases.get(id)).name));
  };
}

/** Returns dumps with the same size and serial. */
const sharing = (serial: string, ...names: string[]): RowText[] =>
  names.map((name, index) => ({
    name,
    serial,
    roms: [{ name: `${name}.iso`, size, sha1: `${index}`.padStart(40, 'd') }],
  }));

describe('a tie between releases', () => {
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

  test('is decided by the serial in the file rather than by its name', async () => {
    const rows = [
      { name: 'x', serial: 'GW7P69', roms: [dump('x.iso')] },
      { name: 'Own serial', serial: 'GW7E69', roms: [dump('z.iso')] },
    ];
    expect(await tied(rows)()).toBe('Own serial');
  });

  test('is decided by the size of the image rather than by the name', async () => {
    const rows = [
      { name: 'x', serial: 'GW7E69', roms: [other(7)] },
      { name: 'Own size', serial: 'GW7E69', roms: [other(gamecube.length)] },
    ];
    expect(await tied(rows)()).toBe('Own size');
  });

  test('is decided by the name if serial and size do not decide', async () => {
    const rows = [
      { name: 'First', serial: 'GW7E69', roms: [other(7)] },
      { name: 'x', serial: 'GW7E69', roms: [other(8)] },
    ];
    expect(await tied(rows)()).toBe('x');
  });

  test('is decided for the lowest ID if the releases have the same content', async () => {
    const rows = ['C', 'A', 'B'].map((name) => ({ name, roms: [dump(`${name}.iso`)] }));
    expect(await tied(rows)()).toBe('C');
  });

  test.skipIf(xorrisoSkipReason !== null)(
    `is decided by the size of the image in a CSO ${xorrisoSkipReason ?? ''}`,
    async () => {
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
    },
  );
});

describe('a file with several candidates', () => {
  const rows = sharing('GW7E69', 'C', 'A', 'B');
  const disc = nintendoImage('GW7E69', '', 'gamecube');

  test('is not matched, and is recorded with its serial and the candidates', async () => {
    const library = await useLibrary();
    await library.write('nonsense.iso', disc);
    await library.take(rows);
    await library.scan();
    const [item] = await library.items();
    expect(item).toMatchObject({
      releaseId: null,
      method: null,
      canonical: null,
      serial: 'GW7E69',
    });
    expect(JSON.parse(String(await library.stored('nonsense.iso', 'tied')))).toHaveLength(3);
    expect((await library.scan()).tied).toBe(1);
  });

  test('is matched by its name, or by its hash', async () => {
    const library = await useLibrary();
    await library.write('nonsense.iso', disc);
    await library.take([...rows, { name: 'Dumped', serial: 'GW7E69', roms: [romOf(disc, 'd')] }]);
    await library.write('A.iso', disc);
    await library.scan();
    expect(await library.matchOf('A.iso')).toMatchObject({ release: 'A', method: 'serial' });
    await library.scan({ hash: true });
    expect(await library.matchOf('nonsense.iso')).toMatchObject({ release: 'Dumped' });
    expect(await library.stored('nonsense.iso', 'tied')).toBeNull();
  });

  test('has as candidates the releases of several platforms that have its name', async () => {
    const library = await useLibrary();
    await library.write('FIFA.bin', 'noise');
    for (const platform of ['Nintendo - GameCube', 'Sony - PlayStation 2']) {
      const sha1 = platform.length.toString().padStart(40, 'e');
      await library.take([{ name: 'FIFA', roms: [{ name: 'f.iso', size: 1, sha1 }] }], platform);
    }
    await library.scan();
    expect(await library.matchOf('FIFA.bin')).toBeNull();
    expect(JSON.parse(String(await library.stored('FIFA.bin', 'tied')))).toHaveLength(2);
  });
});

describe('a name that contradicts the file', () => {
  const disc = nintendoImage('GW7E69', '', 'gamecube');
  const named = (serial?: string): RowText => {
    const roms = [{ name: 'g.iso', size: 1 }];
    return serial === undefined ? { name: 'A game', roms } : { name: 'A game', serial, roms };
  };

  test('is not evidence if the release has other serials', async () => {
    expect(await (await finderAmong([named('GZZE01')]))(disc, 'A game.iso')).toBeNull();
    expect(await (await finderAmong([named()]))(disc, 'A game.iso')).toBe('name: A game');
  });

  test('is not evidence if it names another disc of the set', async () => {
    const find = await finderAmong(sharing('', 'A game (Disc 1)'));
    const second = nintendoImage('GW7E69', '', 'gamecube', { disc: 1 });
    expect(await find(second, 'A game (Disc 1).iso')).toBeNull();
    expect(await find(disc, 'A game (Disc 1).bin')).toBe('name: A game (Disc 1)');
  });
});

describe('the matching of GameCube discs', () => {
  const printed = 'DL-DOL-GW7E-USA';
  const image = (form: { disc?: number; revision?: number }) =>
    nintendoImage('GW7E69', '', 'gamecube', { revision: 0, ...form });

  test('decides by the disc number', async () => {
    const rows = sharing(printed, 'A game (USA) (Disc 1)', 'A game (USA) (Disc 2)');
    const find = await finderAmong(rows);
    expect(await find(image({}))).toBe('serial: A game (USA) (Disc 1)');
    expect(await find(image({ disc: 1 }))).toBe('serial: A game (USA) (Disc 2)');
    expect(await find(image({ disc: 2 }))).toBeNull();
  });

  test('decides by the disc number in a printed serial', async () => {
    const rows = [
      ...sharing('DL-DOL-GW7E-0-USA', 'A game (USA)'),
      ...sharing('DL-DOL-GW7E-1-USA', 'A game (USA) (Bonus Disc)').map((row) => ({
        ...row,
        roms: [{ name: 'b.iso', size, sha1: 'b'.repeat(40) }],
      })),
    ];
    const find = await finderAmong(rows);
    expect(await find(image({}))).toBe('serial: A game (USA)');
    expect(await find(image({ disc: 1 }))).toBe('serial: A game (USA) (Bonus Disc)');
  });

  test('decides by the revision', async () => {
    const rows = sharing(printed, 'A game (USA) (Rev 2)', 'A game (USA) (Rev 1)', 'A game (USA)');
    const find = await finderAmong(rows);
    expect(await find(image({ revision: 0 }))).toBe('serial: A game (USA)');
    expect(await find(image({ revision: 1 }))).toBe('serial: A game (USA) (Rev 1)');
    expect(await find(image({ revision: 2 }))).toBe('serial: A game (USA) (Rev 2)');
    expect(await find(image({ revision: 3 }))).toHaveLength(3);
  });

  test('takes revisions from 0x30 on as Korean discs with an American ID', async () => {
    const rows = sharing(printed, 'A game (Korea)', 'A game (USA)', 'A game (USA) (Rev 1)');
    const find = await finderAmong(rows);
    expect(await find(image({ revision: 0x30 }))).toBe('serial: A game (Korea)');
    expect(await find(image({ revision: 0 }))).toBe('serial: A game (USA)');
  });
});

describe('the matching of Saturn and Dreamcast discs', () => {
  const saturn = (device: string, area = 'JTUE') =>
    systemArea({ 0: 'SEGA SEGASATURN ', 32: 'T-21301G  V1.000', 56: device, 64: area });
  const dreamcast = (device: string) =>
    systemArea({ 0: 'SEGA SEGAKATANA ', 32: `47D6 ${device}`, 48: 'J', 64: 'T-21301G  V1.000' });
  const rows = sharing('T-21301G', 'A game (Japan) (Disc 1)', 'A game (Japan) (Disc 2)');

  test('decides by the disc number', async () => {
    const find = await finderAmong(rows, 'Sega - Saturn');
    expect(await find(saturn('CD-1/2'))).toMatch('Disc 1');
    expect(await find(saturn('CD-2/2'))).toMatch('Disc 2');
    const findOnDreamcast = await finderAmong(rows, 'Sega - Dreamcast');
    expect(await findOnDreamcast(dreamcast('GD-ROM2/2'))).toMatch('Disc 2');
  });

  test('leaves a tie if the disc states that it is the only one', async () => {
    const find = await finderAmong(rows, 'Sega - Saturn');
    expect(await find(saturn('CD-1/1'))).toHaveLength(2);
  });

  test('decides by the regions in which the disc can be played', async () => {
    const regions = sharing('T-21301G', 'A game (Europe)', 'A game (Japan)', 'A game (USA)');
    const find = await finderAmong(regions, 'Sega - Saturn');
    expect(await find(saturn('CD-1/1', 'J'))).toMatch('(Japan)');
    expect(await find(saturn('CD-1/1', 'E'))).toMatch('(Europe)');
    expect(await find(saturn('CD-1/1', 'UE'))).toHaveLength(2);
    expect(await find(saturn('CD-1/1', ''))).toHaveLength(3);
  });
});

withXorriso(`the matching of Sony discs ${xorrisoSkipReason ?? ''}`, () => {
  const versions = ['A game (USA)', 'A game (USA) (v1.02)', 'A game (USA) (v2.00)'];

  test('decides by the version of a PlayStation 2 disc', async () => {
    const find = await finderAmong(sharing('SLUS-20718', ...versions), 'Sony - PlayStation 2');
    const disc = (version: string) =>
      makeIso({ 'SYSTEM.CNF': `BOOT2 = cdrom0:\\SLUS_207.18;1\r\nVER = ${version}\r\n` });
    expect(await find(disc('1.02'))).toMatch('v1.02');
    expect(await find(disc('2.00'))).toMatch('v2.00');
    expect(await find(disc('1.00'))).toBe('serial: A game (USA)');
    expect(await find(disc('x'))).toHaveLength(3);
  });

  test('decides by the version of a PSP disc', async () => {
    const sfo = paramSfo({ DISC_ID: 'ULES01413', DISC_VERSION: '1.02' });
    const disc = makeIso(
      { 'UMD_DATA.BIN': 'ULES-01413|', 'PSP_GAME/PARAM.SFO': sfo },
      { sysid: 'PSP GAME' },
    );
    const find = await finderAmong(
      sharing('ULES-01413', ...versions),
      'Sony - PlayStation Portable',
    );
    expect(await find(disc)).toMatch('v1.02');
  });

  test('decides by the disc number in a PlayStation volume name or track file name', async () => {
    const platform = 'Sony - PlayStation';
    const files = { 'SYSTEM.CNF': 'BOOT = cdrom:\\SLUS_012.34;1\r\n' };
    const rows = sharing('SLUS-01234', 'A game (USA) (Disc 1)', 'A game (USA) (Disc 2)');
    const find = await finderAmong(rows, platform);
    expect(await find(makeIso(files, { volid: 'GAME_DISC2' }))).toMatch('Disc 2');
    const library = await useLibrary();
    const track = 'game (Disc 2) (Track 1).bin';
    await library.write(track, makeIso(files));
    await library.write(
      'nonsense.cue',
      `FILE "${track}" BINARY\n  TRACK 01 MODE1/2048\n    INDEX 01 00:00:00\n`,
    );
    await library.take(rows, platform);
    await library.scan();
    expect((await library.matchOf('nonsense.cue'))?.release).toBe('A game (USA) (Disc 2)');
    expect((await library.matchOf(track))?.release).toBe('A game (USA) (Disc 2)');
  });
});
