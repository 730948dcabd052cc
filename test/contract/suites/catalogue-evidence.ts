import { expect, test } from 'vitest';
import type { Evidence } from '../../../src/core/library/match/candidate.ts';
import type { LookupKeys } from '../../../src/core/library/match/lookup-keys.ts';
import type { CatalogueEvidence } from '../../../src/core/library/ports.ts';
import { game, hashes, type RowText } from '../../imports/support/dat-text.ts';

const nothing: LookupKeys = {
  sha1: [],
  md5: [],
  images: [],
  size: null,
  serials: [],
  gameCode: '',
  names: [],
};

/**
 * Contract of every `CatalogueEvidence` adapter. `take` imports a DAT of a platform. `edit` changes
 * a release like a user.
 */
export function catalogueEvidenceContract(
  create: () => Promise<{
    catalogue: CatalogueEvidence;
    take(rows: readonly RowText[], platform: string, source?: string): Promise<void>;
    edit(name: string, changes: { name: string }): Promise<void>;
    /** Runs `work`. Returns the length of the longest database result, written as JSON. */
    longestResult(work: () => Promise<unknown>): Promise<number>;
  }>,
): void {
  const gameCube = 'Nintendo - GameCube';
  const namesOf = (found: Evidence | undefined, method: keyof Evidence) =>
    found?.[method].map(({ names }) => names[0]);

  async function withGames() {
    const parts = await create();
    await parts.take(
      [
        game('A', 'a', { serial: 'DL-DOL-GW7P-EUR' }),
        game('B', 'b', { serial: 'ULES-00288' }),
        { name: "It's", roms: [{ name: 'shared.bin', size: 1 }] },
        { name: 'D', roms: [{ name: 'shared.bin', size: 2 }] },
      ],
      gameCube,
    );
    const find = async (keys: Partial<LookupKeys>) =>
      (await parts.catalogue.find([{ ...nothing, ...keys }]))[0];
    return { ...parts, find };
  }

  test('finds nothing without evidence or in an empty catalogue', async () => {
    const { catalogue } = await create();
    expect(await catalogue.find([])).toEqual([]);
    const none = { sha1: [], md5: [], crc32: [], serial: [], name: [] };
    const some = { ...nothing, names: ['A'], serials: ['X1'], gameCode: 'GW7P', sha1: ['00'] };
    expect(await catalogue.find([nothing, some])).toEqual([none, none]);
  });

  test('finds releases by each hash, and by crc32 only together with the size', async () => {
    const { find } = await withGames();
    const { sha1, md5, crc } = hashes('a');
    const size = (await find({ sha1: [sha1] }))?.sha1[0]?.roms[0]?.size ?? 0;
    expect(namesOf(await find({ sha1: [sha1] }), 'sha1')).toEqual(['A']);
    expect(namesOf(await find({ md5: [md5] }), 'md5')).toEqual(['A']);
    expect(namesOf(await find({ images: [{ crc32: crc, size }] }), 'crc32')).toEqual(['A']);
    expect(namesOf(await find({ images: [{ crc32: crc, size: size + 1 }] }), 'crc32')).toEqual([]);
  });

  test('finds releases by normalised serial and by the game code within a serial', async () => {
    const { find } = await withGames();
    expect(namesOf(await find({ serials: ['ULES00288'] }), 'serial')).toEqual(['B']);
    expect(namesOf(await find({ gameCode: 'GW7P' }), 'serial')).toEqual(['A']);
    expect(namesOf(await find({ gameCode: 'W7P-' }), 'serial')).toEqual([]);
    expect(namesOf(await find({ gameCode: 'W7PE' }), 'serial')).toEqual([]);
  });

  test('finds releases by their names, also by those of sources and unshared ROMs', async () => {
    const { find, take } = await withGames();
    await take([game('Other name of A', 'a')], gameCube, 'another source');
    expect(namesOf(await find({ names: ["It's"] }), 'name')).toEqual(["It's"]);
    const other = await find({ names: ['Other name of A'] });
    expect(other?.name).toHaveLength(1);
    expect(other?.name[0]?.names.toSorted()).toEqual(['A', 'Other name of A']);
    expect(namesOf(await find({ names: ['b.bin'] }), 'name')).toEqual(['B']);
    expect(namesOf(await find({ names: ['shared.bin'] }), 'name')).toEqual([]);
  });

  test('returns separate results for each lookup, with all release data', async () => {
    const { catalogue } = await withGames();
    const [first, none, last] = await catalogue.find([
      { ...nothing, names: ['B'] },
      { ...nothing, names: ['C'] },
      { ...nothing, names: ['D', 'A'] },
    ]);
    const { sha1, md5, crc } = hashes('b');
    expect(first?.name).toMatchObject([
      {
        names: ['B'],
        serials: ['ULES00288'],
        platformKey: 'nintendogamecube',
        roms: [{ name: expect.any(String), size: expect.any(Number), sha1, md5, crc32: crc }],
      },
    ]);
    expect(none?.name).toEqual([]);
    expect(last?.name.map(({ names }) => names[0]).toSorted()).toEqual(['A', 'D']);
  });

  test('reads many ROMs, and many releases of one name, in small parts', async () => {
    const { catalogue, take, longestResult } = await create();
    const roms = Array.from({ length: 12_000 }, (_, n) => ({ name: `${n}.bin`, size: n }));
    const same = Array.from({ length: 3_000 }, (_, n) => game('Same', `same ${n}`));
    await take([{ name: 'Many', roms }, ...same], gameCube);
    let found: Evidence[] = [];
    const longest = await longestResult(async () => {
      found = await catalogue.find(['Many', 'Same'].map((name) => ({ ...nothing, names: [name] })));
    });
    expect(found[0]?.name[0]?.roms.map(({ name }) => name)).toEqual(roms.map(({ name }) => name));
    const ids = found[1]?.name.map(({ releaseId }) => releaseId) ?? [];
    expect(ids).toHaveLength(200);
    expect(Math.max(...ids) - Math.min(...ids)).toBe(199);
    expect(longest).toBeGreaterThan(60_000);
    expect(longest).toBeLessThan(600_000);
    const pointed = await longestResult(() => catalogue.find([{ ...nothing, names: ['Same'] }]));
    expect(pointed).toBeGreaterThan(200);
    expect(pointed).toBeLessThan(60_000);
  });

  test('has a new version after an import and after an edit', async () => {
    const { catalogue, take, edit } = await withGames();
    const versions = [await catalogue.version(), await catalogue.version()];
    expect(versions[0]).toBe(versions[1]);
    await take([game('New', 'n')], gameCube, 'new');
    versions.push(await catalogue.version());
    await edit('New', { name: 'Newer' });
    versions.push(await catalogue.version());
    expect(new Set(versions).size).toBe(3);
  });
}
