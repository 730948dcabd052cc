import { describe, expect, test } from 'vitest';
import { normaliseSerials } from '../../src/core/shared/serial.ts';
import { game, rom, xml } from './support/dat-text.ts';
import { type ImportsFixture, useImports } from './support/imports-fixture.ts';

const serials = [
  'ULES-01413/1.00',
  'SLUS_207.18',
  'ULJM-06174-0',
  'NPJH-50443, ULJM-05800',
  'bles 01234; BLES-01235',
];

const dat = xml([
  game('Plain', 'a', { roms: [rom('a', { crc: '12345678' })] }),
  game('Else', 'b', { serial: 'ZZZZ-00001' }),
]);

/**
 * Returns the stored forms of the serial. For each form, also returns the releases that a search
 * finds.
 */
async function known(imports: ImportsFixture, serial: string) {
  const forms = imports.query<{ serial: string }>(
    `SELECT DISTINCT form.serial FROM release_serial AS form
      JOIN release ON release.id = form.release_id WHERE name = 'Plain' ORDER BY 1`,
  );
  const searches = [...normaliseSerials(serial), ...serial.split(/[,;]/).map((one) => one.trim())];
  const found = await Promise.all(searches.map((search) => imports.list({ search })));
  return {
    serial: (await imports.get('Plain')).serial,
    forms: forms.map((row) => row.serial),
    found: found.map((list) => list.map(({ name }) => name)),
  };
}

describe.each(serials)('the serial %s', (serial) => {
  const filling = xml([{ roms: [{ crc: '12345678' }], serial }]);
  const ways: Record<string, (imports: ImportsFixture) => Promise<void>> = {
    'from the DAT': async (imports) => {
      const row = game('Plain', 'a', { serial, roms: [rom('a', { crc: '12345678' })] });
      await imports.take(xml([row, game('Else', 'b')]));
    },
    'filled after the DAT': async (imports) => {
      await imports.take(dat);
      await imports.take(filling);
    },
    'filled before the DAT': async (imports) => {
      await imports.take(filling);
      await imports.take(dat);
    },
    'filled, and the DAT changed': async (imports) => {
      await imports.take(filling);
      await imports.take(dat);
      const row = { description: 'new', roms: [rom('a', { crc: '12345678' })] };
      await imports.take(xml([game('Plain', 'a', row), game('Else', 'b')]));
    },
    'edited by hand': async (imports) => {
      await imports.take(dat);
      await imports.edit('Plain', { serial });
    },
    'filled, and the name edited': async (imports) => {
      await imports.take(dat);
      await imports.take(filling);
      await imports.edit('Plain', { name: 'Plainly' });
      await imports.edit('Plainly', { name: 'Plain' });
    },
  };

  test.each(Object.keys(ways))('is stored and found in all its forms: %s', async (way) => {
    const imports = await useImports();
    await ways[way]?.(imports);
    const forms = normaliseSerials(serial);
    const { found, ...rest } = await known(imports, serial);
    expect(rest).toEqual({ serial, forms: forms.toSorted() });
    expect(found.flat()).toEqual(found.map(() => 'Plain'));
  });

  test('is matched by metadata that states any of its forms', async () => {
    const imports = await useImports();
    for (const form of normaliseSerials(serial)) {
      await imports.empty();
      await imports.take(xml([{ serial: form, fields: { genre: 'Puzzle' } }]));
      await imports.take(dat);
      await imports.take(filling);
      expect((await imports.get('Plain')).meta).toMatchObject({ genre: 'Puzzle' });
    }
  });
});

describe('the search by serial', () => {
  test('finds a release whose serial is replaced by the new serial only', async () => {
    const imports = await useImports();
    const filling = (serial: string) => xml([{ roms: [{ crc: '12345678' }], serial }]);
    await imports.take(dat);
    await imports.take(filling('AAAA-00001'));
    await imports.take(filling('BBBB-00002'));
    expect((await imports.get('Plain')).serial).toBe('AAAA-00001');
    // The DAT changes the description, but still contains no serial.
    const row = { description: 'new', roms: [rom('a', { crc: '12345678' })] };
    await imports.take(xml([game('Plain', 'a', row), game('Else', 'b', { serial: 'ZZZZ-00001' })]));
    expect((await imports.get('Plain')).serial).toBe('BBBB-00002');
    expect(await imports.list({ search: 'bbbb00002' })).toHaveLength(1);
    expect(await imports.list({ search: 'aaaa00001' })).toEqual([]);
  });
});
