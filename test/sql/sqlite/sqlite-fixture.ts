import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Generated } from 'kysely';
import { afterEach, beforeEach } from 'vitest';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { openSqlite } from '../../../src/sql/sqlite/open.ts';
import { placeDatabase } from '../../support/data/new-catalogue.ts';

export interface TestTables {
  item: { id: Generated<number>; name: string; mtime_ns: number | bigint | null };
  staged: { id: number; name: string };
}

export const ITEM_TABLE =
  'create table item (id integer primary key, name text not null unique, mtime_ns integer) strict';

/** Returns a new folder for each test. Everything opened in the folder is closed after the test. */
export function testFolder() {
  let folder = '';
  const opened: Engine<TestTables>[] = [];
  const started: ChildProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-sqlite-'));
  });
  afterEach(async () => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
    for (const database of opened.splice(0)) await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  const path = (name = 'catalog.db') => join(folder, name);
  const open = async (name?: string, readers?: number) => {
    const database = await openSqlite<TestTables>(path(name), {
      create: true,
      ...(readers === undefined ? {} : { readers }),
    });
    opened.push(database);
    return database;
  };
  /**
   * Runs the code of a module in a separate process. The code can use `file`, `openSqlite`,
   * `migrate` and `Database`.
   */
  const start = (code: string) => {
    const source = new URL('../../../src/sql/sqlite/', import.meta.url).href;
    const program = `
      import Database from 'better-sqlite3';
      import { openSqlite } from '${source}open.ts';
      import { migrate } from '${source}migrate.ts';
      const file = ${JSON.stringify(path())};
      ${code}`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    started.push(child);
    return child;
  };
  /** Opens the database of a new catalogue, which has all tables. */
  const openNew = async (name?: string) => {
    await placeDatabase(path(name));
    return (await open(name)) as unknown as Engine;
  };
  return { path, open, openNew, start };
}

/** Resolves to the first text that a process prints. */
export async function firstOutput(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('no output to read');
  const [chunk] = await once(child.stdout, 'data');
  return String(chunk);
}

export async function exitCode(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, 'exit');
  return code as number | null;
}
