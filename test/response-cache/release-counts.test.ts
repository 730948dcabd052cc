import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/core/shared/clock.ts';
import { emptyTexts } from '../../src/core/shared/release-fields.ts';
import type { Database, Engine } from '../../src/sql/engine/engine.ts';
import { SqlReleaseRecords } from '../../src/sql/releases/release-records.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import { importGames, oddTitles } from '../support/data/dats.ts';
import { startTestApp, type TestApp } from '../support/http/app.ts';
import { startOtherProcess } from './servers.ts';

let app: TestApp;
let engine: Engine;
let other: Awaited<ReturnType<typeof startOtherProcess>>;
let records: SqlReleaseRecords;
let imports = 0;
beforeEach(async () => {
  app = await startTestApp();
  await importGames(app, oddTitles);
  engine = await openSqlite(join(app.data, 'catalog.db'));
  records = new SqlReleaseRecords({ engine, clock: systemClock });
  other = await startOtherProcess(app.data);
});
afterEach(async () => {
  await other.stop();
  await engine.close();
  await app.close();
});

const actor = { kind: 'system' } as const;
const hiddenFrom = 1_000_000;

interface Change {
  readonly by:
    | 'this process'
    | 'another process'
    | 'import'
    | 'begin hidden'
    | 'end hidden'
    | 'add'
    | 'remove'
    | 'platform';
  readonly id: number;
  readonly name: string;
  readonly region: string;
}
const change: fc.Arbitrary<Change> = fc.record({
  by: fc.constantFrom(
    'this process',
    'another process',
    'import',
    'begin hidden',
    'end hidden',
    'add',
    'remove',
    'platform',
  ),
  id: fc.integer({ min: 1, max: 8 }),
  name: fc.constantFrom('New', 'elf', 'Émile', '💾', ...oddTitles.slice(0, 6)),
  region: fc.constantFrom('', 'Japan', 'Japan,Europe', 'USA , Japan'),
});

async function make({ by, id, name, region }: Change): Promise<void> {
  const isHiding = (await engine.read.selectFrom('unfinished_import').selectAll().execute()).length;
  const write = (work: (trx: Database) => Promise<unknown>) => engine.write(work);
  const known = (await records.find(id)) !== null;
  if (by === 'this process' && known) await records.edit(id, { name, region }, actor);
  if (by === 'another process' && known) await other.work({ release: id, name });
  if (by === 'import' && isHiding === 0) {
    imports += 1;
    await importGames(app, [`New ${imports}`, name], `Platform ${imports % 3}`);
  }
  const claim = { first_release_id: hiddenFrom + id, claim: 'x' };
  if (by === 'begin hidden' && isHiding === 0) {
    await write((trx) => trx.insertInto('unfinished_import').values(claim).execute());
  }
  if (by === 'end hidden') await write((trx) => trx.deleteFrom('unfinished_import').execute());
  if (by === 'add') {
    // If an import is unfinished, add one hidden and one visible release.
    const values = { ...emptyTexts, system: 'videos', name, region };
    const { last } = await engine.read
      .selectFrom('release')
      .select((is) => is.fn.max('id').as('last'))
      .executeTakeFirstOrThrow();
    const ids = [Math.max(last + 1, claim.first_release_id), (last % hiddenFrom) + 5_000];
    for (const given of ids) {
      const row = { ...values, id: given };
      await write((trx) =>
        trx
          .insertInto('release')
          .values(row)
          .onConflict((is) => is.doNothing())
          .execute(),
      );
    }
  }
  if (by === 'remove') {
    const some = sql<boolean>`id IN (SELECT max(id) FROM release UNION ALL SELECT ${id})`;
    await write((trx) => trx.deleteFrom('release').where(some).execute());
  }
  if (by === 'platform') {
    const values = { platform_id: id % 2 === 0 ? 1 : null, system: region };
    await write((trx) => trx.updateTable('release').set(values).where('id', '=', id).execute());
  }
}

const everything = {};
const filters = [
  everything,
  { region: 'japan' },
  { system: 'videos' },
  { platform: 'PLATFORM 1', region: 'Europe' },
  { platform: 'Platform 1|Platform 2', region: 'japan|Europe' },
];

/** Throws if the counts differ from the releases that readers see. */
async function compare(): Promise<void> {
  for (const given of filters) {
    const filter = { system: '', q: '', search: '', platform: '', region: '', ...given };
    const found = await records.list({ ...filter, limit: 10_000, offset: 0 });
    // Skip the count of all releases, which is cached until an import ends.
    if (given !== everything) expect(await records.count(filter)).toBe(found.length);
    for (const counting of ['with-own', 'without-own'] as const) {
      const counted = await records.facets(filter, { counting });
      // Every release matches this condition. With the condition, the query reads the releases
      // instead of the counts.
      expect(await records.facets({ ...filter, q: '%' }, { counting })).toEqual(counted);
    }
    for (const order of ['name', 'title'] as const) {
      const initials = await records.initials(filter, order);
      expect(await records.initials({ ...filter, q: '%' }, order)).toEqual(initials);
      expect(initials.reduce((sum, { releases }) => sum + releases, 0)).toBe(found.length);
    }
  }
}

const title =
  'returns the facets, letters and counts of the uncached query after any change by this or another process';
describe('the reader of release counts', () => {
  test(title, () => expectPlain(1));
  test(`${title}, in 6 random histories`, { tags: ['full'] }, () => expectPlain(6));
});

async function expectPlain(numRuns: number): Promise<void> {
  const changes = fc.array(change, { minLength: 10, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(changes, async (made) => {
      for (const next of made) {
        await make(next);
        await compare();
      }
    }),
    { numRuns, endOnFailure: true },
  );
}

const someRegion = { region: 'Japan', name: 'New', id: 2 };

const missed = 'notices a missing trigger %s after %j';
describe('the comparison of release counts', () => {
  test.each<[string, Change['by'][]]>([
    ['release_count_added', ['add']],
    ['release_count_shown', ['begin hidden', 'add', 'end hidden']],
    ['release_count_changed', ['this process']],
    ['release_count_changed', ['another process']],
    ['release_count_removed', ['remove']],
    ['release_count_hidden', ['add', 'begin hidden']],
  ])(missed, { tags: ['full'] }, expectMissed);
});

async function expectMissed(trigger: string, changes: readonly Change['by'][]): Promise<void> {
  await engine.write((trx) => sql`DROP TRIGGER ${sql.ref(trigger)}`.execute(trx));
  await compare();
  const made = async () => {
    for (const by of changes) await make({ ...someRegion, by });
    await compare();
  };
  await expect(made()).rejects.toThrow();
}
