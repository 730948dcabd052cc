import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CopyProgress } from '../../../src/core/backups/copies/copy-report.ts';
import { emptyTexts } from '../../../src/core/shared/release-fields.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import {
  fillDatabase,
  fillPostgres,
  openDatabase,
  openPostgres,
} from '../../../src/sql/engine/open.ts';
import { copyRows } from '../../../src/sql/rows/copy-rows.ts';
import type { PortableRow } from '../../../src/sql/rows/portable-row.ts';
import { sourceOf } from '../../../src/sql/rows/read-tables.ts';
import type { RowTarget } from '../../../src/sql/rows/row-ports.ts';
import { rowTables } from '../../../src/sql/rows/row-tables.ts';
import { makeClone } from '../../support/postgres/clones.ts';
import { installations } from '../../support/postgres/installations.ts';
import { describeEngines, engines } from '../fixtures/engines.ts';
import { useEngine } from '../fixtures/use-engine.ts';

type Fill = <R>(version: number, work: (target: RowTarget) => Promise<R>) => Promise<R>;

/** Destinations for a copy of a catalogue. Each has functions to create, fill and open it. */
const targets = [
  {
    name: 'SQLite',
    async make() {
      const folder = await mkdtemp(join(tmpdir(), 'catalog-copy-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const file = join(folder, 'catalog.db');
      const fill: Fill = (version, work) =>
        fillDatabase(file, { version, tables: rowTables }, work);
      return { databaseUrl: undefined, fill, open: () => openDatabase(file) };
    },
  },
  ...installations
    .filter(({ skipReason }) => skipReason === null)
    .map((installation) => ({
      name: `PostgreSQL ${installation.version}`,
      async make() {
        const { databaseUrl, drop } = await makeClone(installation);
        onTestFinished(drop);
        await query(databaseUrl, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
        const fill: Fill = (version, work) =>
          fillPostgres(databaseUrl, { version, tables: rowTables }, work);
        return { databaseUrl, fill, open: () => openPostgres(databaseUrl) };
      },
    })),
];

function describeTargets(name: string, suite: (target: (typeof targets)[number]) => void): void {
  for (const target of targets) {
    const tags = target.name === 'SQLite' ? [] : ['full' as const];
    describe(name.replace('$name', target.name), { tags }, () => suite(target));
  }
}

describeEngines('a copy of the rows of $name', ({ open }) => {
  describeTargets('to $name', ({ make }) => {
    test('contains all rows unchanged, whatever their values, with progress reports', async () => {
      const engine = await useEngine(open);
      await fillOddly(engine);
      const before = await everyRow(engine);
      const target = await make();
      const { rows, reported } = await copy(engine, target.fill);
      const copied = await target.open();
      onTestFinished(() => copied.close());
      expect(await everyRow(copied)).toEqual(before);
      expect(rows).toBe(Object.values(before).flat().length);
      expect(await everyRow(engine)).toEqual(before);
      expect(await nextIds(copied)).toEqual(await nextIds(engine));
      const steps = reported.filter(({ step }) => step === 'indexing');
      expect(steps.length).toBeGreaterThan(40);
      expect(steps.map(({ done }) => done)).toEqual([...steps.keys()]);
      expect(steps.every(({ total }) => total === steps.length)).toBe(true);
      expect(reported.at(-1)).toMatchObject({ step: 'comparing', done: rows, total: rows });
    });
  });
});

describeEngines('a snapshot of $name', ({ open }) => {
  test('blocks changes of file records while its other work runs, and excludes them', async () => {
    const engine = await useEngine(open);
    const [table] = rowTables.filter(({ name }) => name === 'stored_file');
    if (table === undefined) throw new Error('there is no such table');
    const file = { area: 'games', name: 'a', size: 1, sha256: 'aa', written_at: 'x' };
    const order: string[] = [];
    let writing = Promise.resolve();
    await engine.snapshot(
      async ({ reader }) => {
        await writing;
        order.push(`${await reader.count(table)} files`);
      },
      async () => {
        writing = engine
          .write((trx) =>
            trx
              .insertInto('stored_file')
              .values({ ...file, mtime_ns: 1n })
              .execute(),
          )
          .then(() => void order.push('written'));
        const impatient = engine.write(
          (trx) =>
            trx
              .insertInto('stored_file')
              .values({ ...file, name: 'b', mtime_ns: 1n })
              .execute(),
          { busyMs: 100 },
        );
        await expect(impatient).rejects.toMatchObject({ kind: 'busy' });
        order.push('looked');
      },
    );
    expect(order).toEqual(['looked', 'written', '0 files']);
  });
});

describeTargets('the comparison of rows that are copied to $name', ({ name, make }) => {
  const title = name === 'SQLite' ? 'finds %s' : 'finds %s, and leaves the database empty';
  test.each([['a changed row', another]] as const)(title, expectFound);
  test.each([
    ['a missing row', missing],
    ['a duplicate row', twice],
  ] as const)(title, { tags: ['full'] }, expectFound);

  async function expectFound(_what: string, change: Change): Promise<void> {
    const engine = await useEngine((engines[0] as (typeof engines)[number]).open);
    await fillOddly(engine);
    const target = await make();
    const fill: Fill = (version, work) =>
      target.fill(version, (whole) =>
        work({
          reader: whole.reader,
          finish: (lastIds, onStep) => whole.finish(lastIds, onStep),
          add: (table, columns, rows) =>
            whole.add(table, columns, table.name === 'download_day' ? change(rows) : rows),
        }),
      );
    await expect(copy(engine, fill)).rejects.toThrow(/download_day/);
    if (target.databaseUrl !== undefined) {
      const tables = `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;
      expect((await query(target.databaseUrl, tables)).rows).toEqual([]);
    }
  }
});

type Change = (rows: readonly PortableRow[]) => readonly PortableRow[];
const another: Change = (rows) => rows.map(withOtherText);
const missing: Change = (rows) => rows.slice(1);
const twice: Change = (rows) => [...rows, ...rows.slice(-1)];

function withOtherText(row: PortableRow): PortableRow {
  return row.map((value) => (typeof value === 'number' ? value + 1 : value));
}

describe('the list of copied tables', () => {
  test('contains every table except schema_version and lease', async () => {
    const engine = await useEngine((engines[0] as (typeof engines)[number]).open);
    const { rows } = await sql<{ name: string }>`SELECT name FROM pragma_table_list
    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`.execute(
      engine.read,
    );
    const ownTables = ['schema_version', 'lease'];
    const known = [...rowTables.map(({ name }) => name), ...ownTables];
    expect(known.sort()).toEqual(rows.map(({ name }) => name).sort());
  });
});

async function copy(engine: Engine, fill: Fill) {
  const reported: CopyProgress[] = [];
  const rows = await engine.snapshot(async ({ reader, version }) => {
    const source = await sourceOf(reader, rowTables, version);
    return fill(version, (target) =>
      copyRows(source, target, {
        signal: new AbortController().signal,
        onProgress: (progress) => reported.push(progress),
      }),
    );
  });
  return { rows, reported };
}

/** Returns the row without `letters`, which only one engine derives from other columns. */
function withoutMade(row: object): object {
  const { letters: _, ...given } = row as { letters?: string };
  return given;
}

async function everyRow(engine: Engine): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for (const { name, key } of rowTables) {
    let select = engine.read.selectFrom(name).selectAll();
    for (const column of key) select = select.orderBy(column as never);
    all[name] = (await select.execute()).map(withoutMade);
  }
  return all;
}

/**
 * Inserts rows and returns their ids. An id must be new even if the row with the highest id was
 * deleted.
 */
async function nextIds(engine: Engine): Promise<number[]> {
  const release = { ...emptyTexts, platform_id: null, system: 'games' };
  return engine.write(async (trx) => {
    const inserted = [
      await trx
        .insertInto('release')
        .values({ ...release, name: 'x' })
        .returning('id')
        .execute(),
      await trx.insertInto('platform').values({ key: 'x', name: 'x' }).returning('id').execute(),
    ];
    return inserted.map(([row]) => row?.id ?? 0);
  });
}

async function query(databaseUrl: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  return client.query(text).finally(() => client.end());
}

async function fillOddly(engine: Engine): Promise<void> {
  const odd = [
    '',
    ' ',
    'a\u0000b',
    '\u0001',
    '\u00010',
    '\\',
    "'",
    '"',
    '{}',
    'NULL',
    '桃太郎',
    '\u{1F3AE}',
    'x'.repeat(1_048_576),
    'last',
  ];
  await engine.write(async (trx) => {
    await trx
      .insertInto('platform')
      .values(odd.map((key) => ({ key, name: `${key}!` })))
      .execute();
    for (const name of odd) {
      await trx
        .insertInto('release')
        .values({
          ...emptyTexts,
          platform_id: null,
          system: 'games',
          name,
          region: 'JP',
          serial: name.slice(0, 9),
          description: name,
          revision: 2 ** 53 - 1,
        })
        .execute();
    }
    await trx
      .insertInto('library_root')
      .values({ path: '/a', system: 'games', scanned_at: null, problem: null })
      .execute();
    await trx
      .insertInto('stored_file')
      .values(
        [9007199254740993n, 9223372036854775807n, -9223372036854775808n].map((mtime_ns, i) => ({
          area: 'games',
          name: `${i}`,
          size: 2 ** 53 - 1,
          mtime_ns,
          sha256: 'aa',
          written_at: 'x',
        })),
      )
      .execute();
    await trx
      .insertInto('download_day')
      .values({ day: '2026-11-22', count: 1, bytes: 2 })
      .execute();
    const account = 'ab'.repeat(32);
    await trx
      .insertInto('familiar_network')
      .values({ account, network: '2001:db8:0:0::/64', at: 1_790_000_000_000 })
      .execute();
    await trx
      .insertInto('metered_try')
      .values({ account, try_id: 1, at: 1_790_000_000_000 })
      .execute();
    // Delete the rows with the highest ids, because these ids must not be reused.
    const last = trx.selectFrom('release').select((select) => select.fn.max('id').as('id'));
    await trx.deleteFrom('release').where('id', '=', last).execute();
    await trx.deleteFrom('platform').where('key', '=', '{}').execute();
    await trx
      .insertInto('user')
      .values({
        username: 'a',
        password_hash: 'b',
        role: 'admin',
        is_active: false,
        created_at: 'x',
        last_login_at: null,
      })
      .execute();
  });
}
