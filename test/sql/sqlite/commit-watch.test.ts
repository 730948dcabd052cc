import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommitWatch } from '../../../src/sql/sqlite/commit-watch.ts';

let folder: string;
let other: Database.Database;
let watch: CommitWatch;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-commits-'));
  const file = join(folder, 'catalog.db');
  other = new Database(file);
  other.pragma('journal_mode = wal');
  other.exec('CREATE TABLE t (a)');
  watch = new CommitWatch(file);
});
afterEach(() => {
  watch.close();
  other.close();
  rmSync(folder, { recursive: true });
});

const add = () => other.exec('INSERT INTO t VALUES (1)');

describe('the commit watch', () => {
  test("notices commits despite another connection's write lock and checkpoints", () => {
    const first = watch.read();
    other.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (1)');
    expect(watch.read()).toBe(first);
    other.exec('COMMIT');
    const second = watch.read();
    expect(second).not.toBe(first);
    for (const mode of ['passive', 'full', 'restart', 'truncate']) {
      other.pragma(`wal_checkpoint(${mode})`);
      expect(watch.read()).not.toBeNull();
      const before = watch.read();
      add();
      expect(watch.read()).not.toBe(before);
    }
  });

  test('returns no number twice after it reopened the file', () => {
    const seen = new Set([watch.read()]);
    for (let turn = 0; turn < 3; turn += 1) {
      watch.close();
      seen.add(watch.read());
    }
    expect(seen.size).toBe(4);
  });

  test('returns null for a file that does not exist', () => {
    expect(new CommitWatch(join(folder, 'none.db')).read()).toBeNull();
  });
});
