/** @module-tag full */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { kindBitsOf } from '../../src/core/shared/names/kind-bits.ts';
import { migrate } from '../../src/sql/sqlite/migrate.ts';
import { migrations } from '../../src/sql/sqlite/migrations/list.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';

/** More releases than the migration reads at a time. */
const releases = 12_000;

describe('the upgrade of release kinds', () => {
  test('stores the kinds of all existing releases', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-migration-'));
    const file = join(folder, 'catalog.db');
    const engine = await openSqlite(file, { create: true });
    onTestFinished(async () => {
      await engine.close();
      await rm(folder, { recursive: true });
    });
    const at = migrations.findIndex(({ name }) => name === '0045-release-kinds');
    await migrate(engine, migrations.slice(0, at));
    const db = new Database(file);
    onTestFinished(() => void db.close());
    const endings = ['', ' (Demo)', ' (Kiosk) (Demo)', ' [b1]', ' (USA)'];
    const insert = db.prepare(`INSERT INTO release (id, system, name, region, serial, description)
    VALUES (?, 'games', ?, '', '', '')`);
    db.transaction(() => {
      for (let i = 0; i < releases; i += 1) insert.run(i * 3 + 1, `A ${i}${endings[i % 5]}`);
    })();
    await migrate(engine, migrations);
    const rows = db.prepare<[], { name: string; kinds: number }>('SELECT name, kinds FROM release');
    const stored = rows.all();
    expect(stored).toHaveLength(releases);
    expect(stored.filter(({ name, kinds }) => kinds !== kindBitsOf(name))).toEqual([]);
    expect(stored.filter(({ kinds }) => kinds !== 0)).toHaveLength((releases / 5) * 3);
  });
});
