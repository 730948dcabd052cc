import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/sql/sqlite/migrate.ts';
import { migrations } from '../../src/sql/sqlite/migrations/list.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';

describe('the upgrade of removed covers', () => {
  test('moves removed covers from the misses to their own table, with time and user', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-migration-'));
    const file = join(folder, 'catalog.db');
    const engine = await openSqlite(file, { create: true });
    onTestFinished(async () => {
      await engine.close();
      await rm(folder, { recursive: true });
    });
    const at = migrations.findIndex(({ name }) => name === '0007-cover-removal');
    await migrate(engine, migrations.slice(0, at));
    const db = new Database(file);
    db.exec(`
    INSERT INTO release (id, system, name, region, serial, description)
      VALUES (1, 'games', 'A', '', '', ''), (2, 'games', 'B', '', '', ''), (3, 'games', 'C', '', '', '');
    INSERT INTO cover_miss (release_id, source, kind, reason, asked_at) VALUES
      (1, 'somebody', 'miss', 'the cover was removed', '2026-01-01T00:00:00.000Z'),
      (2, 'https://example.org', 'miss', 'not there', '2026-01-02T00:00:00.000Z'),
      (3, 'somebody', 'miss', 'the cover was removed', '2026-01-03T00:00:00.000Z');
    INSERT INTO audit (at, actor_kind, username, action, target) VALUES
      ('', 'user', 'first', 'cover.remove', 'cover/1'), ('', 'user', 'last', 'cover.remove', 'cover/1'),
      ('', 'user', 'other', 'cover.upload', 'cover/1'), ('', 'system', NULL, 'cover.remove', 'cover/3')`);
    await migrate(engine, migrations);
    expect(db.prepare('SELECT * FROM cover_removal').all()).toEqual([
      { release_id: 1, removed_at: '2026-01-01T00:00:00.000Z', removed_by: 'last' },
      { release_id: 3, removed_at: '2026-01-03T00:00:00.000Z', removed_by: 'system' },
    ]);
    expect(db.prepare('SELECT release_id FROM cover_miss').pluck().all()).toEqual([2]);
    db.close();
  });
});
