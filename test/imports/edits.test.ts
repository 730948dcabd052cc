import { describe, expect, test } from 'vitest';
import type { ReleaseEdit } from '../../src/core/releases/release.ts';
import { game, type RowText, rom, xml } from './support/dat-text.ts';
import { type ImportsFixture, imported, useImports } from './support/imports-fixture.ts';

const others = [game('B', 'b'), game('C', 'c')];
const own = { name: 'Old', description: 'old', region: 'Europe', serial: 'ABCD-00001' };
const newer = { name: 'New', description: 'new', region: 'Japan', serial: 'ABCD-00002' };
const facts = {
  developer: 'Their developer',
  publisher: 'Their publisher',
  genre: 'Their genre',
  releaseyear: '2006',
  releasemonth: '4',
  releaseday: '11',
};
const filled = {
  developer: 'Their developer',
  publisher: 'Their publisher',
  genre: 'Their genre',
  release_date: '2006-04-11',
};

function metadata(fields: Readonly<Record<string, string>>): string {
  return xml([{ roms: [{ crc: '12345678' }], fields }]);
}

const row = (texts: RowText) => game('', 'a', { ...texts, roms: [rom('a', { crc: '12345678' })] });

async function begin(): Promise<ImportsFixture & { id: number; read(): Promise<object> }> {
  const imports = await useImports();
  await imports.take(xml([row(own), ...others]));
  const { id } = await imports.get('Old');
  return { ...imports, id, read: () => imports.catalog.releases.get(id) };
}

describe('an import over edited fields of a release', () => {
  test.each(['name', 'description', 'region', 'serial'] as const)(
    'protects an edited %s',
    async (field) => {
      const imports = await begin();
      await imports.edit('Old', { [field]: 'Mine' });
      const path = await imports.write('newer.dat', xml([row(newer), ...others]));
      const { counts, samples } = imported((await imports.run(path))[0]);
      expect(await imports.read()).toMatchObject({ ...newer, [field]: 'Mine', meta: null });
      expect(counts).toMatchObject({ changed: 1, renamed: 1, protected: 1 });
      expect(samples.protected).toEqual([
        `${field === 'name' ? 'Mine' : 'Old'}: ${field} stays Mine, the DAT says ${newer[field]}`,
      ]);
      // The value of the import is stored separately from the edit.
      const sourceRows = imports.query(`SELECT name, description, region, serial FROM source_row
      WHERE release_id = ${imports.id}`);
      expect(sourceRows).toEqual([newer]);
      expect(imported((await imports.run(path))[0]).counts).toMatchObject({
        unchanged: 3,
        protected: 0,
      });
    },
  );

  test('protects a field that was cleared or saved unchanged', async () => {
    const imports = await begin();
    await imports.edit('Old', { serial: '', region: own.region });
    await imports.take(xml([row(newer), ...others]));
    expect(await imports.read()).toMatchObject({ ...newer, serial: '', region: own.region });
  });
});

describe('an import over edited metadata of a release', () => {
  test.each(['developer', 'publisher', 'genre', 'release_date'] as const)(
    'protects an edited %s and fills the other fields',
    async (field) => {
      const imports = await begin();
      await imports.edit('Old', { [field]: 'Mine' });
      const path = await imports.write('facts.dat', metadata(facts));
      const { counts, samples } = imported((await imports.run(path))[0]);
      const meta = { title: '', manual: true, ...filled, [field]: 'Mine' };
      expect(await imports.read()).toMatchObject({ ...own, meta });
      expect(counts).toMatchObject({ filled: 1, protected: 1 });
      expect(samples.protected).toEqual([
        `Old: ${field} stays Mine, the file says ${filled[field]}`,
      ]);
      const fields = imports.query("SELECT DISTINCT field FROM metadata_row WHERE kind = 'crc'");
      expect(fields).toHaveLength(6);
    },
  );

  test('protects an edited title and synopsis, and an edited genre filled before', async () => {
    const imports = await begin();
    await imports.take(metadata({ genre: 'One', developer: 'One' }));
    const mine: ReleaseEdit = { title: 'Title', synopsis: 'Synopsis', genre: 'Mine' };
    await imports.edit('Old', mine);
    await imports.take(metadata({ genre: 'Two', developer: 'Two', publisher: 'Two' }));
    expect(await imports.read()).toMatchObject({
      meta: { ...mine, manual: true, developer: 'Two', publisher: 'Two' },
    });
  });
});

describe('an import that renames an edited release', () => {
  test('keeps the edited name, title and genre, and updates the search', async () => {
    const imports = await begin();
    await imports.take(metadata({ genre: 'Theirs', developer: 'Their developer' }));
    await imports.edit('Old', { name: 'My name', title: 'My title', genre: 'My genre' });
    const counts = await imports.take(xml([row(newer), ...others], undefined, '2'));
    expect(counts).toMatchObject({ renamed: 1, protected: 1, unchanged: 2 });
    const meta = {
      title: 'My title',
      genre: 'My genre',
      developer: 'Their developer',
      manual: true,
    };
    expect(await imports.read()).toMatchObject({ ...newer, name: 'My name', meta });
    // A search finds the release by its own name and by its name in the DAT.
    for (const search of ['my name', 'new']) {
      expect((await imports.list({ search })).map(({ id }) => id)).toEqual([imports.id]);
    }
    expect(await imports.list({ search: 'old' })).toEqual([]);
  });
});
