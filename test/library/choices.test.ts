import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LibraryFiles } from '../../src/core/library/library-files.ts';
import { nintendoImage } from '../support/images/disc-images.ts';
import { type LibraryFixture, romOf, touch, useLibrary } from './library-fixture.ts';

const actor = { kind: 'cli', username: 'me' } as const;
const disc = nintendoImage('GW7E69', '', 'gamecube');
/** Dumps with the same serial. No other evidence distinguishes them. */
const rows = ['A', 'B'].map((name, index) => ({
  name,
  serial: 'GW7E69',
  roms: [{ name: `${name}.iso`, size: disc.length, sha1: `${index}`.padStart(40, 'd') }],
}));

async function useTied() {
  const library = await useLibrary();
  await library.take(rows);
  await library.write('nonsense.iso', disc);
  await library.scan();
  const files = new LibraryFiles({ records: library.records, roots: [library.games] });
  const idOf = async (name: string) => {
    const [file] = await files.list({ search: name, system: '', state: '' }, everything);
    return file?.id ?? 0;
  };
  const releaseOf = async (name: string) => {
    const row = library.sql.read.selectFrom('release').select('id').where('name', '=', name);
    return (await row.executeTakeFirstOrThrow()).id;
  };
  const choose = async (file: string, release: string | null) =>
    files.choose(await idOf(file), release === null ? null : await releaseOf(release), actor);
  return { library, files, idOf, releaseOf, choose };
}

const everything = { limit: 500, offset: 0 };
const chosen = { release: 'B', method: 'manual', canonical: 'B.iso' };
const match = (library: LibraryFixture) => library.matchOf('nonsense.iso');

describe('a manually chosen release', () => {
  test('becomes the match of the file, and is recorded in the audit', async () => {
    const { library, choose, idOf, releaseOf } = await useTied();
    expect(await match(library)).toBeNull();
    await choose('nonsense', 'B');
    expect(await match(library)).toEqual(chosen);
    const audit = library.sql.read
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'library.match');
    const { target, detail, username } = await audit.executeTakeFirstOrThrow();
    expect([target, username]).toEqual([`library/${await idOf('nonsense')}`, 'me']);
    expect(JSON.parse(detail ?? '')).toEqual({
      file: 'nonsense.iso',
      release: await releaseOf('B'),
      files: 1,
    });
  });

  test.each([
    ['a scan', {}],
    ['a scan that hashes', { hash: true }],
    ['a scan that reads everything again', { hash: true, full: true }],
  ])('remains the match after %s', async (_what, options) => {
    const { library, choose } = await useTied();
    await choose('nonsense', 'B');
    const report = await library.scan(options);
    expect(report).toMatchObject({ matchesLost: 0, matchesChanged: 0, tied: 0 });
    expect(report.recognised).toMatchObject({ manual: 1 });
    expect(await match(library)).toEqual(chosen);
  });

  test('remains the match when the catalogue changes, and when the file is renamed', async () => {
    const { library, choose } = await useTied();
    await choose('nonsense', 'B');
    await library.take(
      [{ name: 'Dumped', serial: 'GW7E69', roms: [romOf(disc, 'd')] }],
      undefined,
      'x',
    );
    await library.scan({ hash: true });
    expect(await match(library)).toEqual(chosen);
    await rename(join(library.games.path, 'nonsense.iso'), join(library.games.path, 'A.iso'));
    await library.scan();
    expect(await library.matchOf('A.iso')).toEqual(chosen);
  });

  test('is dropped when the file changes', async () => {
    const { library, choose } = await useTied();
    await choose('nonsense', 'B');
    await touch(join(library.games.path, 'nonsense.iso'), 1_700_000_000);
    await library.scan();
    expect(await match(library)).toBeNull();
    expect(await library.stored('nonsense.iso', 'state')).toBe('ambiguous');
  });

  test('can be withdrawn, and the evidence decides again at once', async () => {
    const { library, choose, files, idOf } = await useTied();
    await choose('nonsense', 'B');
    await choose('nonsense', null);
    expect(await match(library)).toBeNull();
    const { candidates } = await files.get(await idOf('nonsense'));
    expect(candidates.map(({ name }) => name)).toEqual(['A', 'B']);
    await choose('nonsense', null);
    const audit = library.sql.read
      .selectFrom('audit')
      .select('id')
      .where('action', '=', 'library.match');
    expect(await audit.execute()).toHaveLength(2);
  });

  test('is neither overwritten nor restored by a scan that read the file earlier', async () => {
    const { library, choose } = await useTied();
    const { scanned, store } = library.records;
    const path = join(library.games.path, 'nonsense.iso');
    const before = await scanned.filesAt(library.games, [path]);
    const save = (file: (typeof before)[number]) => {
      const { chosen: choice } = file;
      const found = choice ? { ...choice, method: 'manual' as const } : null;
      return store.save(library.games, [{ file, match: found, tied: [], evidence: {} }]);
    };
    await choose('nonsense', 'B');
    await save({ ...(before[0] as (typeof before)[number]), hashes: null });
    expect(await match(library)).toEqual(chosen);
    const [withChoice] = await scanned.filesAt(library.games, [path]);
    await choose('nonsense', null);
    await save(withChoice as (typeof before)[number]);
    expect(await match(library)).toBeNull();
  });

  test('applies to all files of the disc', async () => {
    const { library, choose } = await useTied();
    const track = Buffer.alloc(2352 * 3, 'sound');
    await library.write('set/X (Track 1).bin', track);
    await library.write(
      'set/X.cue',
      'FILE "X (Track 1).bin" BINARY\r\n  TRACK 01 AUDIO\r\n    INDEX 01 00:00:00\r\n',
    );
    await library.scan();
    await choose('X.cue', 'A');
    for (const scan of [false, true]) {
      if (scan) await library.scan({ hash: true });
      expect(await library.matchOf('X.cue')).toMatchObject({ release: 'A', method: 'manual' });
      expect(await library.matchOf('X (Track 1).bin')).toMatchObject({ release: 'A' });
    }
    await choose('Track', null);
    expect(await library.matchOf('X.cue')).toBeNull();
    expect(await match(library)).toBeNull();
  });
});

describe('the list of library roots', () => {
  test('reports when each root was scanned, and why one could not be', async () => {
    const { library, files } = await useTied();
    await library.scan();
    const missing = { path: join(library.folder, 'nowhere'), system: 'videos' } as const;
    await library.scan({ roots: [library.games, missing] });
    const scanState = { scannedAt: expect.any(String), problem: null };
    expect(await files.roots()).toEqual([
      { ...library.games, ...scanState, files: 1 },
      { ...missing, scannedAt: null, files: 0, problem: 'it does not exist' },
      { ...library.videos, ...scanState, files: 0 },
    ]);
  });
});
