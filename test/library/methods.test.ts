import { describe, expect, test } from 'vitest';
import type { RowText } from '../imports/support/dat-text.ts';
import { gamecube } from './discs.ts';
import { romOf, useLibrary } from './library-fixture.ts';

/** One release per method. Only that method matches the release. */
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

describe('the matching of a file', () => {
  test.each(strongestFirst.map((method, index) => [method, index] as const))(
    'prefers %s to all weaker methods if no stronger one finds a release',
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

  test('uses no hash before the file is hashed', async () => {
    const library = await useLibrary();
    await library.write('Odd name.iso', gamecube);
    await library.take(Object.values(pointers));
    await library.scan();
    expect(await library.matchOf('Odd name.iso')).toMatchObject({ method: 'serial' });
  });

  test('does not accept a CRC-32 of another size as evidence', async () => {
    const library = await useLibrary();
    await library.write('x.iso', gamecube);
    const { crc, size } = romOf(gamecube, '');
    await library.take([{ name: 'Other', roms: [{ name: 'o.iso', size: size + 1, crc }] }]);
    await library.scan({ hash: true });
    expect(await library.matchOf('x.iso')).toBeNull();
  });

  test('does not match an empty file to an empty ROM of a release', async () => {
    const library = await useLibrary();
    await library.write('empty.bin', '');
    await library.take([{ name: 'With an empty track', roms: [romOf('', 'track 2.bin')] }]);
    await library.scan({ hash: true });
    expect(await library.matchOf('empty.bin')).toBeNull();
  });

  test('stores as JSON the evidence and the releases that each method found', async () => {
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
});

const everything = { system: '', q: '', search: '', platform: '', region: '' };
