import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ListOrder, listOrders, sortOf } from '../../src/core/releases/list-orders.ts';
import type { ReleaseFilter } from '../../src/core/releases/ports.ts';
import { emptyTexts } from '../../src/core/shared/release-fields.ts';
import type { Engine } from '../../src/sql/engine/engine.ts';
import { type BookmarkedList, PageBookmarks } from '../../src/sql/releases/page-bookmarks.ts';
import { ReleasePages } from '../../src/sql/releases/release-pages.ts';
import { CommonTrigrams } from '../../src/sql/releases/trigram-sample.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import { importGames } from '../support/data/dats.ts';
import { startTestApp, type TestApp } from '../support/http/app.ts';
import { startOtherProcess } from './servers.ts';

const releases = 4_000;
let app: TestApp;
let engine: Engine;
let other: Awaited<ReturnType<typeof startOtherProcess>>;
beforeAll(async () => {
  app = await startTestApp();
  await importGames(app, ['One', 'Two']);
  engine = await openSqlite(join(app.data, 'catalog.db'));
  // Many releases have the same name, so the id determines their order. Two characters sort
  // differently by UTF-16 unit than by code point.
  await engine.write((trx) =>
    sql`INSERT INTO release (platform_id, system, name, region, serial, description)
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${releases})
      SELECT 1, CASE WHEN n % 4 = 0 THEN 'videos' ELSE 'games' END,
        CASE n % 3 WHEN 0 THEN 'Twin' WHEN 1 THEN ${'\u{1F600}'} || n % 7 ELSE ${'\uFF5A'} || n % 50 END,
        CASE n % 2 WHEN 0 THEN 'Japan' ELSE 'USA, Europe' END, '', ''
      FROM number`.execute(trx),
  );
  other = await startOtherProcess(app.data);
});
afterAll(async () => {
  await other.stop();
  await engine.close();
  await app.close();
});

const actor = { kind: 'system' } as const;
const filters = [{}, { system: 'games' }, { region: 'Japan' }, { platform: 'Test - Console' }];
const offsets = [
  0,
  499,
  500,
  1_000,
  1_099,
  1_100,
  1_499,
  1_500,
  1_501,
  2_750,
  releases - 10,
  releases + 500,
];

interface Change {
  readonly by: 'this process' | 'another process' | 'import' | 'removal' | 'hidden';
  readonly id: number;
  readonly name: string;
}
const change: fc.Arbitrary<Change> = fc.record({
  by: fc.constantFrom('this process', 'another process', 'import', 'removal', 'hidden'),
  id: fc.integer({ min: 3, max: releases }),
  name: fc.constantFrom('A', 'Twin', '\u{1F601}', 'ｚ'),
});
let imports = 0;

async function make({ by, id, name }: Change): Promise<void> {
  const { releases: edited } = app.catalog;
  const isThere = (
    await engine.read.selectFrom('release').select('id').where('id', '=', id).execute()
  ).length;
  if (isThere && by === 'this process') await edited.edit(id, { name }, actor);
  if (isThere && by === 'another process') await other.work({ release: id, name });
  if (by === 'import') {
    imports += 1;
    await importGames(app, [`A ${imports}`, name], `Platform ${imports}`);
  }
  if (by === 'removal') {
    await engine.write((trx) => trx.deleteFrom('release').where('id', '=', id).execute());
  }
  if (by === 'hidden') {
    // Begins an unfinished import that has a release. No reader sees this release. `endHidden`
    // discards the import.
    await engine.write(async (trx) => {
      await sql`INSERT INTO unfinished_import (first_release_id, claim)
        SELECT max(id) + 1, 'x' FROM release`.execute(trx);
      const row = { ...emptyTexts, system: 'games', name: 'A', region: 'Japan' };
      await trx.insertInto('release').values(row).execute();
    });
  }
}

async function endHidden(): Promise<void> {
  await engine.write(async (trx) => {
    const hidden = trx.selectFrom('unfinished_import').select('first_release_id');
    await trx.deleteFrom('release').where('id', '>=', hidden).execute();
    await trx.deleteFrom('unfinished_import').execute();
  });
}

async function expectedIds(filter: object, order: ListOrder): Promise<number[]> {
  const { system, region, platform } = filter as Partial<ReleaseFilter>;
  const { texts, ids } = sortOf(order);
  const found = engine.read
    .selectFrom('listed_release')
    .select('id')
    .$if(system !== undefined, (query) => query.where('system', '=', system ?? ''))
    .$if(region !== undefined, (query) => query.where('region', 'like', `%${region}%`))
    .$if(platform !== undefined, (query) => query.where('platform_id', '=', 1));
  const sorted = texts.reduce((query, text) => query.orderBy(text), found);
  const rows = await sorted.orderBy('id', ids).execute();
  return rows.map(({ id }) => id);
}

/** Throws if a page differs from the result of the plain query. */
async function compare(pages: ReleasePages): Promise<void> {
  for (const given of filters) {
    for (const order of listOrders) {
      const filter = { system: '', q: '', search: '', platform: '', region: '', ...given };
      const expected = await expectedIds(given, order);
      for (const offset of offsets) {
        const page = await pages.read(filter, { offset, limit: 20, order });
        const what = JSON.stringify([given, order, offset]);
        expect(
          page.map(({ id }) => id),
          what,
        ).toEqual(expected.slice(offset, offset + 20));
      }
    }
  }
}

/** Reads pages until all offsets are indexed. */
async function findAll(pages: ReleasePages, places: PageBookmarks): Promise<void> {
  for (let turn = 0; turn < 9; turn += 1) {
    await compare(pages);
    await places.whenIdle();
  }
}

const title =
  'reads a page far in a list like the plain query after any change by this or another process';
describe('the list of releases', () => {
  test(title, () => expectPlain({ numRuns: 1, minLength: 2, maxLength: 2 }));
  test(`${title}, in many more rounds`, { tags: ['full'] }, () =>
    expectPlain({ numRuns: 4, minLength: 2, maxLength: 4 }),
  );

  async function expectPlain(given: { numRuns: number; minLength: number; maxLength: number }) {
    const { numRuns, ...lengths } = given;
    let used = 0;
    class CountingPlaces extends PageBookmarks {
      override find(list: BookmarkedList, offset: number) {
        const place = super.find(list, offset);
        if (place !== undefined) used += 1;
        return place;
      }
    }
    const places = new CountingPlaces(engine);
    const pages = new ReleasePages(engine, new CommonTrigrams(engine.longRead), places);
    const changes = fc.array(change, lengths);
    await fc.assert(
      fc.asyncProperty(changes, async (made) => {
        for (const next of made) {
          await findAll(pages, places);
          await make(next);
          await compare(pages);
          if (next.by === 'hidden') await endHidden();
        }
      }),
      { numRuns, endOnFailure: true },
    );
    expect(used).toBeGreaterThan(100);
  }

  const stale = 'notices bookmarks of another revision after %s';
  test.each<[string, Change['by']]>([
    ['an edit by another process', 'another process'],
    ['an edit', 'this process'],
    ['an import', 'import'],
    ['a removal', 'removal'],
  ])(stale, { tags: ['full'] }, expectStale);

  async function expectStale(_: string, by: Change['by']): Promise<void> {
    class StalePlaces extends PageBookmarks {
      revision = 0;
      override find(list: BookmarkedList, offset: number) {
        const place = super.find(list, offset);
        return place && { ...place, revision: this.revision };
      }
      override renew(list: BookmarkedList) {
        if (this.revision === 0) super.renew(list);
      }
    }
    const places = new StalePlaces(engine);
    const pages = new ReleasePages(engine, new CommonTrigrams(engine.longRead), places);
    await findAll(pages, places);
    // All releases after the changed one then have another offset.
    const inOrder = await expectedIds({}, 'name');
    await make({ by, id: inOrder.at(by === 'removal' ? 3 : -3) ?? 0, name: '!' });
    const { number } = await engine.read
      .selectFrom('part_revision')
      .select('number')
      .where('part', '=', 'catalogue')
      .executeTakeFirstOrThrow();
    places.revision = number;
    await expect(compare(pages)).rejects.toThrow();
  }

  test('has a bookmark every 100 releases, but none if the list is short', async () => {
    const places = new PageBookmarks(engine);
    const list: BookmarkedList = { values: {}, order: 'name' };
    const few: BookmarkedList = { values: { region: 'Nowhere' }, order: 'name' };
    for (const wanted of [list, few]) {
      places.renew(wanted);
      await places.whenIdle();
    }
    expect(places.find(list, 1_750)).toMatchObject({ offset: 1_700 });
    expect(places.find(few, 1_750)).toBeUndefined();
  });
});
