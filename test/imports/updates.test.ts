import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { game, rom, xml } from './support/dat-text.ts';
import { actor, type ImportsFixture, imported, useImports } from './support/imports-fixture.ts';

const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((seed) =>
  game(`Game ${seed}`, seed, {
    description: `About ${seed}`,
    serial: `ABCD-0000${seed.charCodeAt(0) % 10}`,
  }),
);

describe('an import that updates the catalogue', () => {
  test('changes nothing for a repeated file or a copy with another name and version', async () => {
    const imports = await useImports();
    await imports.take(xml(rows));
    const before = imports.dump({ withoutHistory: true });
    expect(await imports.take(xml(rows))).toEqual({ rows: 6, releases: 6, unchanged: 6 });
    expect(await imports.take(xml(rows, undefined, '2'))).toEqual({
      rows: 6,
      releases: 6,
      unchanged: 6,
    });
    expect(imports.dump({ withoutHistory: true })).toBe(before);
  });

  test('keeps IDs, updates and renames releases, and reports missing ones as gone', async () => {
    const imports = await useImports();
    const others = ['p', 'q', 'r', 's'].map((seed) => game(`Other ${seed}`, seed));
    await imports.take(xml([...rows, ...others]));
    const ids = new Map((await imports.list()).map(({ id, name }) => [name, id]));
    const [a, b, c, d] = rows;
    const newer = [
      a ?? {},
      { ...b, description: 'Changed' },
      { ...c, name: 'Renamed c' },
      { ...d, roms: [rom('d2'), rom('d3')] }, // another dump with the same name
      game('New', 'new'),
      ...others,
    ];
    const path = await imports.write('newer.dat', xml(newer));
    const { counts, samples } = imported((await imports.run(path))[0]);
    expect(counts).toMatchObject({ unchanged: 5, changed: 3, renamed: 1, new: 1, gone: 2 });
    expect(counts.releases).toBe(counts.new + counts.joined + counts.changed + counts.unchanged);
    expect(samples).toMatchObject({
      renamed: ['Game c -> Renamed c'],
      gone: ['Game e', 'Game f'],
      new: ['New'],
    });
    expect(await imports.get('Game b')).toMatchObject({
      id: ids.get('Game b'),
      description: 'Changed',
    });
    expect(await imports.get('Renamed c')).toMatchObject({ id: ids.get('Game c') });
    const changed = await imports.get('Game d');
    expect(changed.id).toBe(ids.get('Game d'));
    expect(changed.roms.map(({ name }) => name)).toEqual(['d2.bin', 'd3.bin']);
    expect(await imports.get('Game e')).toMatchObject({ id: ids.get('Game e') });
    expect(await imports.list({ search: 'renamed' })).toHaveLength(1);
    expect(await imports.list({ q: 'game c' })).toEqual([]);
    // A release is reported as gone only once. If its row comes back, the release is restored.
    expect(await imports.take(xml(newer))).toEqual({ rows: 9, releases: 9, unchanged: 9 });
    const back = await imports.take(xml([...newer, rows[4] ?? {}]));
    expect(back).toEqual({ rows: 10, releases: 10, unchanged: 9, changed: 1 });
  });

  test('treats two rows that swap their names as two renames', async () => {
    const imports = await useImports();
    await imports.take(xml([game('X', 'x'), game('Y', 'y'), ...rows]));
    const [x, y] = [await imports.get('X'), await imports.get('Y')];
    await imports.take(xml([game('Y', 'x'), game('X', 'y'), ...rows]));
    expect((await imports.get('Y')).id).toBe(x.id);
    expect((await imports.get('X')).id).toBe(y.id);
  });

  test('prunes only unlisted releases without edits, cover and library files', async () => {
    const imports = await useImports();
    await imports.take(xml(rows));
    await imports.take(xml([game('Spiel e', 'e'), game('Eigen', 'own')]), { source: 'other' });
    await imports.edit('Game b', { genre: 'Puzzle' });
    const covered = (await imports.get('Game c')).id;
    await writeFile(join(imports.data, 'covers', `${covered}.png`), 'a cover');
    await imports.write('discs/Game d.iso', 'a disc');
    await scan(imports, join(imports.folder, 'discs'));
    const shorter = xml(rows.slice(0, 1).concat(game('g', 'g')));
    await imports.take(shorter);
    const names = async () => (await imports.list()).map(({ name }) => name);
    expect(await names()).toHaveLength(8);
    const path = await imports.write('shorter.dat', shorter);
    const before = imports.dump();
    const [dry] = await imports.run(path, { prune: true, dryRun: true });
    expect(imported(dry)).toMatchObject({
      counts: { pruned: 1 },
      samples: { pruned: ['Game f'] },
    });
    expect(imports.dump()).toBe(before);
    const [report] = await imports.run(path, { prune: true });
    expect(imported(report)).toMatchObject({
      counts: { pruned: 1, unchanged: 2 },
      samples: { pruned: ['Game f'] },
    });
    expect(await names()).toEqual(['Eigen', 'Game a', 'Game b', 'Game c', 'Game d', 'Game e', 'g']);
    // No table or index contains rows of the removed releases.
    expect(await imports.list({ search: 'game f' })).toEqual([]);
    const left = imports.query(
      'SELECT (SELECT count(*) FROM release_text) AS texts, (SELECT count(DISTINCT release_id) FROM rom) AS roms, (SELECT count(DISTINCT release_id) FROM source_row) AS sources',
    );
    expect(left).toEqual([{ texts: 7, roms: 7, sources: 7 }]);
    // A release is removed when its last source no longer lists it. The id of the release is not
    // reused.
    const last = Math.max(...(await imports.list()).map(({ id }) => id));
    await imports.take(xml([game('Eigen', 'own')]), { source: 'other', prune: true });
    expect(await names()).not.toContain('Game e');
    await imports.take(xml([game('Neu', 'new'), game('Eigen', 'own')]), { source: 'other' });
    expect((await imports.get('Neu')).id).toBeGreaterThan(last);
  });

  test('reports the same in a dry run as in the import itself, and changes no table', async () => {
    const imports = await useImports();
    await imports.take(xml(rows));
    await imports.edit('Game a', { name: 'Mine' });
    const newer = xml([
      ...rows.slice(0, 4).map((row) => ({ ...row, name: `${row.name}!` })),
      game('N', 'n'),
    ]);
    const metadata = xml([{ name: 'Game b', serial: 'ABCD-00008', fields: { genre: 'Puzzle' } }]);
    const paths = [
      await imports.write('newer.dat', newer),
      await imports.write('genre.dat', metadata),
      await imports.write('other.dat', xml(rows, 'Test - New platform')),
    ];
    const source = 'same';
    await imports.take(xml(rows), { source });
    const before = imports.dump();
    const dry = await imports.run(paths, { source, dryRun: true });
    expect(imports.dump()).toBe(before);
    const wet = await imports.run(paths, { source });
    expect(dry).toEqual(wet);
    expect(imports.dump()).not.toBe(before);
  });

  test('leaves no rows of the file at which it is stopped, but keeps earlier files', async () => {
    const imports = await useImports();
    const small = await imports.write('a.dat', xml(rows));
    const many = Array.from({ length: 5000 }, (_, i) => game(`Many ${i}`, `many ${i}`));
    const big = await imports.write('b.dat', xml(many, 'Test - Many'));
    const stop = new AbortController();
    const running = imports.catalog.imports.importPaths(
      [small, big],
      {
        signal: stop.signal,
        onProgress: ({ file, rows: read }) => {
          if (file === big && read > 1000) stop.abort(new Error('stopped'));
        },
        onFile() {},
      },
      actor,
    );
    await expect(running).rejects.toThrow('stopped');
    expect(await imports.list()).toHaveLength(rows.length);
    expect(imports.query('SELECT name FROM platform')).toHaveLength(1);
    expect(imported((await imports.run(big))[0]).counts.new).toBe(5000);
  });
});

/** Runs the first pass of a scan over a folder. */
async function scan({ catalog }: ImportsFixture, path: string): Promise<void> {
  await catalog.scanner.scan({
    roots: [{ path, system: 'games' }],
    hash: false,
    full: false,
    forget: false,
    jobs: 1,
    retriesWhenBusy: false,
    signal: new AbortController().signal,
    onProgress() {},
  });
}
