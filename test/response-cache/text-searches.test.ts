import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/core/shared/clock.ts';
import { searchWords } from '../../src/core/shared/search-text.ts';
import type { Engine } from '../../src/sql/engine/engine.ts';
import { SqlReleaseRecords } from '../../src/sql/releases/release-records.ts';
import { CommonTrigrams, type Trigrams } from '../../src/sql/releases/trigram-sample.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import { importGames, oddTitles } from '../support/data/dats.ts';
import { startTestApp, type TestApp } from '../support/http/app.ts';
import { startOtherProcess } from './servers.ts';

let app: TestApp;
let engine: Engine;
let other: Awaited<ReturnType<typeof startOtherProcess>>;
let imports = 0;
beforeAll(async () => {
  app = await startTestApp();
  await importGames(app, [
    ...oddTitles,
    ...['Game', 'Quux', 'Third'].map((name) => ({ name: `Serial ${name}`, serial: 'ULES-00288' })),
    { name: 'Quux alone' },
    { name: 'Hash Game', roms: [{ name: 'a', size: '1', crc: 'deadbeef' }] },
  ]);
  engine = await openSqlite(join(app.data, 'catalog.db'));
  other = await startOtherProcess(app.data);
});
afterAll(async () => {
  await other.stop();
  await engine.close();
  await app.close();
});

const actor = { kind: 'system' } as const;

function allAre(share: number, all = 1_000_000): Trigrams {
  const containingPrefixes = (parts: readonly string[]) => parts.map(() => share);
  return {
    shares: async () => ({ all, of: () => share, containingAll: () => share, containingPrefixes }),
  };
}

/**
 * Trigram statistics that force each query plan: the index, the start of the list, the first
 * matches, or all matches.
 */
const guesses: Record<string, Trigrams> = {
  'a sample': { shares: () => new CommonTrigrams(engine.longRead).shares() },
  'all are rare': allAre(0),
  'all are common': allAre(0.1),
  'all are in most': allAre(0.9),
  'many are found, but not among the first of the list': allAre(0.0001, 200_000_000),
};

const part = fc
  .tuple(fc.constantFrom(...oddTitles), fc.nat(20), fc.integer({ min: 1, max: 24 }))
  .map(([title, start, length]) =>
    [...title]
      .slice(start % [...title].length)
      .slice(0, length)
      .join(''),
  );
const text = fc.oneof(
  { weight: 4, arbitrary: part },
  fc.tuple(part, fc.constantFrom('%', '_', ' ', '"', '% '), part).map((parts) => parts.join('')),
  part.map((one) => `${one}zq`),
  part.map((one) => one.toUpperCase()),
  fc.constantFrom('ules-00288', 'ules00288 game', 'DEADBEEF', 'deadbeef hash', 'x'.repeat(300)),
);
const change = fc.record({
  by: fc.constantFrom('this process', 'another process', 'import', 'nobody'),
  id: fc.integer({ min: 1, max: 20 }),
  name: fc.oneof(part, fc.constantFrom('New "name" 100%')).filter((name) => name.trim() !== ''),
});

async function make({ by, id, name }: { by: string; id: number; name: string }): Promise<void> {
  if (by === 'this process') await app.catalog.releases.edit(id, { name }, actor);
  if (by === 'another process') await other.work({ release: id, name });
  if (by === 'import') {
    imports += 1;
    await importGames(app, [`New ${imports} ${name}`], `Platform ${imports}`);
  }
}

/** Returns the ids that a scan of every release finds. */
async function scan(field: 'q' | 'search', wanted: string): Promise<number[]> {
  const { contains } = engine.read.dialect;
  const words = searchWords(wanted).map((alternatives) => {
    const any = alternatives.map((word) => contains(sql.ref('release_text.text'), word));
    const hash = sql`EXISTS (SELECT 1 FROM rom WHERE rom.release_id = release.id AND rom.crc32 = ${alternatives[0]})`;
    return sql`(${sql.join([...any, hash], sql` OR `)})`;
  });
  const conditions = field === 'q' ? [sql`release.name LIKE ${`%${wanted}%`}`] : words;
  const { rows } = await sql<{ id: number }>`
    SELECT release.id FROM release JOIN release_text ON release_text.release_id = release.id
    WHERE ${sql.join([sql`1 = 1`, ...conditions], sql` AND `)}
    ORDER BY release.name, release.id`.execute(engine.read);
  return rows.map(({ id }) => id);
}

/**
 * Throws if a search does not find the same releases as a scan, with any of the trigram statistics.
 */
async function compare(wanted: string): Promise<void> {
  for (const field of ['q', 'search'] as const) {
    const expected = await scan(field, wanted);
    for (const [guess, trigrams] of Object.entries(guesses)) {
      const records = new SqlReleaseRecords({ engine, clock: systemClock, trigrams });
      const filter = { system: '', q: '', search: '', platform: '', region: '', [field]: wanted };
      const what = `${field}=${wanted}, ${guess}`;
      for (const [offset, limit] of [
        [0, 100],
        [0, 1],
        [2, 2],
      ] as const) {
        for (const given of [{}, { system: 'games' }]) {
          const page = await records.list({ ...filter, ...given, offset, limit });
          const ids = page.map(({ id }) => id);
          expect(ids, what).toEqual(expected.slice(offset, offset + limit));
        }
      }
      const newest = await records.list({ ...filter, offset: 0, limit: 100, order: 'newest' });
      const byId = expected.toSorted((a, b) => b - a);
      expect(
        newest.map(({ id }) => id),
        what,
      ).toEqual(byId);
      expect(await records.count(filter), what).toBe(expected.length);
      const { systems } = await records.facets(filter);
      expect(
        systems.reduce((sum, { releases }) => sum + releases, 0),
        what,
      ).toBe(expected.length);
    }
  }
}

const title = 'finds the same by the index as by a scan after any change by any process';
describe('the text search', () => {
  test(title, () => expectSame(2));
  test(`${title}, in many more rounds`, { tags: ['full'] }, () => expectSame(8));

  async function expectSame(numRuns: number): Promise<void> {
    const turns = fc.array(fc.tuple(change, fc.array(text, { minLength: 2, maxLength: 5 })), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(turns, async (made) => {
        for (const [next, wanted] of made) {
          await make(next);
          for (const one of wanted) await compare(one);
        }
      }),
      { numRuns, endOnFailure: true },
    );
  }

  test('finds the same releases as a scan of all releases for typical searches', async () => {
    for (const wanted of [
      'deadbeef',
      'ules-00288',
      '00288 ulès',
      'ules-00288 quux',
      '100% o',
      'e%i',
      '"quoted" <',
      '😀 s',
    ]) {
      await compare(wanted);
    }
    expect(await scan('search', 'deadbeef')).toHaveLength(1);
    expect(await scan('search', 'ules-00288')).toHaveLength(3);
    expect(await scan('search', 'ules-00288 quux')).toHaveLength(1);
  });

  test.each(['this process', 'another process'])(
    'differs from a scan if the index misses an edit by %s',
    async (by) => {
      const triggers = ['release_name_update', 'release_search_update'];
      const { rows } = await sql<{ sql: string }>`
    SELECT sql FROM sqlite_schema WHERE name IN (${sql.join(triggers)})`.execute(engine.read);
      expect(rows).toHaveLength(2);
      for (const trigger of triggers) {
        await engine.write((trx) => sql`DROP TRIGGER ${sql.ref(trigger)}`.execute(trx));
      }
      await make({ by, id: 4, name: `Unheard of ${by}` });
      await expect(compare(`eard of ${by.slice(0, 4)}`)).rejects.toThrow();
      await make({ by, id: 4, name: oddTitles[3] });
      for (const row of rows) await engine.write((trx) => sql.raw(row.sql).execute(trx));
    },
  );
});
