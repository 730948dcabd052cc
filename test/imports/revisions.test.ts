import { describe, expect, test } from 'vitest';
import { game, hashes, rom, xml } from './support/dat-text.ts';
import { useImports } from './support/imports-fixture.ts';

const rows = [game('A', 'a', { region: 'Japan' }), game('B', 'b'), game('C', 'c')];

/**
 * Returns the imports fixture with two more functions. `changedBy` runs a step and returns the
 * names of the releases whose revision the step changed. `importing` does the same for an import.
 */
async function useRevisions() {
  const imports = await useImports();
  const revisions = async () => {
    const found = await Promise.all(
      (await imports.list()).map(({ id }) => imports.catalog.releases.get(id)),
    );
    return new Map(found.map(({ name, revision }) => [name, revision]));
  };
  const changedBy = async (step: () => Promise<unknown>) => {
    const before = await revisions();
    await step();
    const after = await revisions();
    return [...after.keys()].filter((name) => after.get(name) !== before.get(name));
  };
  const importing = (...given: Parameters<typeof imports.take>) =>
    changedBy(() => imports.take(...given));
  return { ...imports, changedBy, importing };
}

describe('an imported release', () => {
  test('keeps its revision in an import without changes', async () => {
    const { importing } = await useRevisions();
    expect(await importing(xml(rows))).toEqual(['A', 'B', 'C']);
    expect(await importing(xml(rows))).toEqual([]);
    expect(await importing(xml(rows, undefined, '2'))).toEqual([]);
    expect(await importing(xml(rows.toReversed(), undefined, '3'))).toEqual([]);
  });

  test.each([
    ['name', game('A, again', 'a', { region: 'Japan' }), 'A, again'],
    ['region', game('A', 'a', { region: 'USA' }), 'A'],
    ['description', game('A', 'a', { region: 'Japan', description: 'new' }), 'A'],
    ['serial', game('A', 'a', { region: 'Japan', serial: 'S-1' }), 'A'],
    ['ROMs', { ...rows[0], roms: [rom('a', { name: 'other.bin' })] }, 'A'],
  ])('gets a new revision if an import changes its %s', async (_what, row, name) => {
    const { importing } = await useRevisions();
    await importing(xml(rows));
    expect(await importing(xml([row, ...rows.slice(1)], undefined, '2'))).toEqual([name]);
  });

  test('gets a new revision if an import changes a value that an edit hides', async () => {
    const { importing, edit } = await useRevisions();
    await importing(xml(rows));
    await edit('A', { region: 'Mine' });
    const newer = [game('A', 'a', { region: 'USA' }), ...rows.slice(1)];
    expect(await importing(xml(newer, undefined, '2'))).toEqual(['A']);
  });

  test('gets a new revision if a row of it is gone, back, added or in another system', async () => {
    const { importing } = await useRevisions();
    await importing(xml(rows));
    expect(await importing(xml(rows.slice(1), undefined, '2'))).toEqual(['A']);
    expect(await importing(xml(rows.slice(1), undefined, '3'))).toEqual([]);
    expect(await importing(xml(rows, undefined, '4'))).toEqual(['A']);
    expect(await importing(xml([game('B, too', 'b')]), { source: 'another' })).toEqual(['B']);
    expect(await importing(xml(rows), { system: 'videos' })).toEqual(['A', 'B', 'C']);
  });

  test('gets a new revision if an import fills metadata, even if an edit hides it', async () => {
    const { importing, edit } = await useRevisions();
    const facts = (genre: string) => xml([{ name: 'A', fields: { genre } }]);
    await importing(xml(rows));
    expect(await importing(facts('Puzzle'))).toEqual(['A']);
    expect(await importing(facts('Puzzle'))).toEqual([]);
    await edit('A', { genre: 'Mine' });
    expect(await importing(facts('Racing'))).toEqual(['A']);
    expect(await importing(xml([{ roms: [{ crc: hashes('b').crc }], serial: 'S-1' }]))).toEqual([
      'A',
      'B',
    ]);
  });

  test('lists its rows in all sources, and the values that its edits hide', async () => {
    const { importing, edit, get, catalog } = await useRevisions();
    const [a] = rows;
    await importing(xml([{ ...a, serial: 'S-1', description: 'one' }, ...rows.slice(1)]));
    await importing(xml([game('A of another', 'a')]), { source: 'another' });
    await importing(xml([{ name: 'A', fields: { genre: 'Puzzle', releaseyear: '2006' } }]));
    await importing(xml([{ roms: [{ crc: hashes('b').crc }], serial: 'S-2' }]));
    await importing(
      xml([{ ...a, serial: 'S-1', description: 'one' }, ...rows.slice(2)], undefined, '2'),
    );
    await edit('A', {
      region: 'Mine',
      genre: 'Mine',
      release_date: '',
      synopsis: 'Mine',
      title: 'T',
    });
    const whole = await catalog.releases.getWhole((await get('A')).id);
    const row = { name: 'A', region: 'Japan', serial: 'S-1', description: 'one' };
    expect(whole.sources).toEqual([
      { id: 1, source: 'Test - Console', ...row, shown: true, gone: false },
      {
        ...{ id: 2, source: 'another', name: 'A of another', region: '', serial: '' },
        ...{ description: '', shown: false, gone: false },
      },
    ]);
    const importedValues = whole.edits.map(({ field, imported }) => [field, imported]);
    expect(importedValues).toEqual([
      ['genre', 'Puzzle'],
      ['region', 'Japan'],
      ['release_date', '2006'],
      ['synopsis', null],
      ['title', null],
    ]);
    await edit('B', { serial: 'Mine', description: 'Mine' });
    const other = await catalog.releases.getWhole((await get('B')).id);
    expect(other.sources).toMatchObject([{ id: 1, gone: true, serial: '' }]);
    expect(other.edits.map(({ imported }) => imported)).toEqual(['', 'S-2']);
  });
});
