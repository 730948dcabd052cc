import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isCurrentReader } from '../../src/disk/reader-versions.ts';
import { romOf, useLibrary } from './library-fixture.ts';

const platform = 'Nintendo - Nintendo Entertainment System';
const header = Buffer.from('NES\x1a\x02\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00', 'latin1');
const rom = randomBytes(40_000);
const headed = Buffer.concat([header, rom]);
const bareRow = { name: 'Game (World)', roms: [romOf(rom, 'Game (World).unh')] };
const headedRow = { name: 'Game (World) (iNES)', roms: [romOf(headed, 'Game (World).nes')] };

describe('the matching of cartridges', () => {
  test('matches a dump with a header to the release that lists it without one', async () => {
    const library = await useLibrary();
    await library.take([bareRow], platform);
    await library.write('xyz.bin', headed);
    await library.scan({ hash: true });
    expect(await library.matchOf('xyz.bin')).toEqual({
      release: 'Game (World)',
      method: 'sha1',
      canonical: 'Game (World).unh',
    });
  });

  test('prefers the release that lists the dump with its header, in either order', async () => {
    for (const rows of [
      [bareRow, headedRow],
      [headedRow, bareRow],
    ]) {
      const library = await useLibrary();
      await library.take(rows, platform);
      await library.write('xyz.bin', headed);
      await library.write('bare.bin', rom);
      await library.scan({ hash: true });
      expect(await library.matchOf('xyz.bin')).toEqual({
        release: 'Game (World) (iNES)',
        method: 'sha1',
        canonical: 'Game (World).nes',
      });
      expect(await library.matchOf('bare.bin')).toMatchObject({ release: 'Game (World)' });
    }
  });

  test('picks the ROM in the form of the file when a release lists both forms', async () => {
    const library = await useLibrary();
    const roms = [...bareRow.roms, ...headedRow.roms];
    await library.take([{ name: 'Game (World)', roms }], platform);
    await library.write('xyz.bin', headed);
    await library.scan({ hash: true });
    expect(await library.matchOf('xyz.bin')).toMatchObject({ canonical: 'Game (World).nes' });
  });

  test('matches the form without a header by CRC-32 and the size of that form', async () => {
    const library = await useLibrary();
    const { crc, size, name } = romOf(rom, 'Game (World).unh');
    await library.take([{ name: 'Game (World)', roms: [{ name, size, crc }] }], platform);
    await library.take(
      [{ name: 'Another', roms: [{ name: 'b', size: size + 16, crc }] }],
      platform,
    );
    await library.write('xyz.bin', headed);
    await library.scan({ hash: true });
    expect(await library.matchOf('xyz.bin')).toMatchObject({
      release: 'Game (World)',
      method: 'crc32',
    });
  });

  test('hashes a dump again once if an older version hashed only the plain file', async () => {
    const library = await useLibrary();
    await library.take([bareRow], platform);
    await library.write('xyz.bin', headed);
    await library.write('other.bin', 'no cartridge');
    await library.scan({ hash: true });
    const [{ identity } = expect.fail('no row')] = await library.sql.read
      .selectFrom('library_file')
      .select('identity')
      .where('name', '=', 'xyz.bin')
      .execute();
    const { forms: _forms, ...before } = { ...JSON.parse(identity), container: 'unknown' };
    const reader = 'unknown 3, no disc 4';
    expect(isCurrentReader(reader)).toBe(false);
    await library.sql.write((trx) =>
      trx
        .updateTable('library_file')
        .set({ identity: JSON.stringify(before), reader, release_id: null, method: null })
        .execute(),
    );
    library.forgetCalls();
    await library.scan({ hash: true });
    expect(library.identified.sort()).toEqual(['games/other.bin', 'games/xyz.bin']);
    expect(library.hashed).toEqual(['games/xyz.bin']);
    expect(await library.matchOf('xyz.bin')).toMatchObject({ release: 'Game (World)' });
    library.forgetCalls();
    await library.scan({ hash: true });
    expect([library.identified, library.hashed]).toEqual([[], []]);
  });
});
