/** @module-tag full */
import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { manifestLines, rowsName } from '../../src/core/backups/manifest.ts';
import { localBackups } from '../../src/files/backups/backup-files.ts';
import { readConfig } from '../../src/settings/config.ts';
import { endUnendedJobs } from '../../src/sql/copies/end-unended-jobs.ts';
import type { Engine } from '../../src/sql/engine/engine.ts';
import { openDatabase, openPostgres } from '../../src/sql/engine/open.ts';
import { migrations } from '../../src/sql/postgres/migrations/list.ts';
import { lineOf } from '../../src/sql/rows/portable-row.ts';
import { sourceOf } from '../../src/sql/rows/read-tables.ts';
import { rowTables } from '../../src/sql/rows/row-tables.ts';
import { writeRows } from '../../src/sql/rows/rows-file.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import { restoreCatalog } from '../../src/wire/restore.ts';
import { emptyDatabase, query } from '../cli/copies/copied-catalogue.ts';
import { testedDatabases } from '../support/data/databases.ts';
import { restoreDatabase } from './dump.ts';
import { readFixture, versions } from './fixtures.ts';

/** Versions that can make backups of rows. Earlier versions could not. */
const ofRows = versions.filter((version) => version >= (migrations[0]?.version ?? 0));
const newest = versions.at(-1) ?? 0;
const { signal } = new AbortController();
const watch = { signal, onProgress() {}, onCopy() {} };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-older-rows-'));
  return () => rm(folder, { recursive: true, force: true });
});

const places = [
  { name: 'a folder', makeDatabase: async () => '' },
  ...(testedDatabases().length > 1 ? [{ name: 'a server', makeDatabase: emptyDatabase }] : []),
];

describe('a backup of rows', () => {
  const all = places.map(({ name }) => name).join(' and ');
  // Restore one backup to all places, because making and upgrading a backup takes most of the time.
  test.each(ofRows)(
    `is upgraded from version %i like a database when it is restored to ${all}`,
    expectUpgraded,
  );

  async function expectUpgraded(version: number): Promise<void> {
    // All databases get the same time as the end of their jobs.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const tar = await backupOf(version);
    const upgraded = join(folder, 'upgraded.db');
    restoreDatabase(upgraded, readFixture(version));
    await endUnendedJobs(upgraded); // as a restore does
    const expected = await rowsOf(await openDatabase(upgraded));
    expect(expected.filter(([, rows]) => rows.length > 0).length).toBeGreaterThan(25);
    for (const { name, makeDatabase } of places) {
      const database = await makeDatabase();
      const data = join(folder, name);
      await restoreCatalog(tar, configOf(data, database), watch);
      const restored = database === '' ? openDatabase(inFolder(data)) : openPostgres(database);
      expect(await rowsOf(await restored), name).toEqual(expected);
    }
  }

  for (const { name, makeDatabase } of places) {
    test(`is refused for ${name} if its version is newer, and creates nothing`, async () => {
      const tar = await backupOf(newest, newest + 1);
      const data = join(folder, 'to');
      const database = await makeDatabase();
      const restoring = restoreCatalog(tar, configOf(data, database), watch);
      await expect(restoring).rejects.toThrow(
        `${tar} is of version ${newest + 1}, this program knows up to version ${newest}: use a newer catalog`,
      );
      expect(existsSync(data)).toBe(false);
      if (database !== '') {
        const tables = `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`;
        expect((await query(database, tables)).rows).toEqual([]);
      }
    });
  }
});

const inFolder = (data: string) => join(data, 'catalog.db');

const configOf = (data: string, database: string) =>
  readConfig({ data }, { CATALOG_DATABASE: database });

/**
 * Makes a backup as a program of version `version` would write it. The backup states the version
 * `named`.
 */
async function backupOf(version: number, named = version): Promise<string> {
  const file = join(folder, 'older.db');
  const rows = join(folder, rowsName);
  restoreDatabase(file, readFixture(version));
  const engine = await openSqlite(file, { readers: 1 });
  await engine.snapshot(async ({ reader }) => {
    const tables = [];
    for (const table of rowTables) if ((await reader.columns(table)).length > 0) tables.push(table);
    await writeRows(rows, await sourceOf(reader, tables, named), { signal });
  });
  await engine.close();
  const tar = join(folder, 'a.tar');
  const writer = await localBackups.create(tar);
  const { size } = await stat(rows);
  const entry = { path: rowsName, size, mtimeNs: 0n };
  const sha256 = await writer.add(entry, createReadStream(rows));
  const head = { madeAt: '2026-11-20T10:00:00.000Z', schema: named, parts: ['covers'] as const };
  await writer.finish(manifestLines(head, [{ path: rowsName, size, sha256 }]));
  await writer.close();
  return tar;
}

/**
 * Returns the rows by table. Tables about stored objects are left out, because a restore clears
 * them.
 */
async function rowsOf(engine: Engine): Promise<[string, string[]][]> {
  onTestFinished(() => engine.close());
  return engine.snapshot(async ({ reader }) => {
    const tables: [string, string[]][] = [];
    for (const table of rowTables.filter(({ name }) => !name.includes('object'))) {
      const lines: string[] = [];
      for await (const batch of reader.rows(table, await reader.columns(table))) {
        lines.push(...batch.map(lineOf));
      }
      tables.push([table.name, lines]);
    }
    return tables;
  });
}
