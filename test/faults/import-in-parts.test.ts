import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WaitMark } from '../../src/sql/sqlite/threads/wait-mark.ts';
import { writeBigDat } from '../support/data/big-dat.ts';
import { sendRequest } from '../support/http/client.ts';
import { type Program, type Sandbox, useSandbox } from '../support/process.ts';

const ROWS = 15_000;

async function useBigDat(): Promise<{ sandbox: Sandbox; big: string; small: string }> {
  const sandbox = await useSandbox();
  const [big, small] = [join(sandbox.folder, 'big.dat'), join(sandbox.folder, 'small.dat')];
  await writeBigDat(big, ROWS);
  await writeBigDat(small, 3, { platform: 'Test - Small' });
  expect(await sandbox.run(['import', small])).toMatchObject({ code: 0 });
  return { sandbox, big, small };
}

describe('an import in parts', () => {
  test('lets another process write meanwhile, and shows all new releases at once', {
    tags: ['full'],
  }, async () => {
    const { sandbox, big } = await useBigDat();
    const database = open(sandbox);
    const program = sandbox.start(['import', big]);
    const seen = new Set<number>();
    let writesBetween = 0;
    while (!program.hasEnded) {
      const { listed, all } = count(database);
      seen.add(listed);
      if (all > listed && hasWritten(database, sandbox) && count(database).listed === 3) {
        writesBetween += 1;
      }
      await setTimeout(1);
    }
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
    expect(writesBetween).toBeGreaterThan(0);
    expect([...seen].filter((listed) => listed !== 3 && listed !== ROWS + 3)).toEqual([]);
    expect(count(database)).toEqual({ listed: ROWS + 3, all: ROWS + 3 });
  });

  test('shows no releases after it is killed, and the next import removes them', {
    tags: ['full'],
  }, async () => {
    const { sandbox, big, small } = await useBigDat();
    const database = open(sandbox);
    const program = sandbox.start(['import', big]);
    await waitUntilHalfWritten(program, database);
    program.kill('SIGKILL');
    await program.ended;
    expect(count(database).all).toBeGreaterThan(3);
    expect(count(database).listed).toBe(3);
    const server = await sandbox.serve();
    const list = await sendRequest(`${server.url}/api/releases?limit=5&include=total`);
    expect(list.json).toMatchObject({ total: 3, items: { length: 3 } });
    const search = await sendRequest(`${server.url}/api/releases?search=release+5`);
    expect(search.json.items).toEqual([]);
    expect((await fetch(`${server.url}/api/releases/${count(database).all}`)).status).toBe(404);
    expect((await fetch(`${server.url}/api/releases/3`)).status).toBe(200);
    await server.stop();
    // A dry run also does not see the rows of the interrupted import. The next import of any file
    // removes them.
    expect((await sandbox.run(['import', '--dry-run', big])).stdout).toContain(`${ROWS} new`);
    expect(await sandbox.run(['import', small])).toMatchObject({ code: 0, stderr: '' });
    expect(count(database)).toEqual({ listed: 3, all: 3 });
    expect(lostHashes(database)).toBe(0);
    expect((await sandbox.run(['import', big])).stdout).toContain(`${ROWS} new`);
    expect(count(database)).toEqual({ listed: ROWS + 3, all: ROWS + 3 });
    expect((await sandbox.run(['import', big])).stdout).toContain(`${ROWS} unchanged`);
  });

  test('leaves no hashes after the next import if it is killed while it writes hashes', {
    tags: ['full'],
  }, async () => {
    const { sandbox, big, small } = await useBigDat();
    const database = open(sandbox);
    const program = sandbox.start(['import', big]);
    // Count only up to this number, so that the kill comes soon after the first hashes are written.
    const enough = 100;
    const hashes = database
      .prepare(`SELECT count(*) FROM (SELECT 1 FROM rom_hash LIMIT ${enough})`)
      .pluck();
    while (Number(hashes.get()) < enough) {
      if (program.hasEnded) throw new Error('it ended before anything could be seen of it');
      await setTimeout(1);
    }
    program.kill('SIGKILL');
    await program.ended;
    expect(count(database).listed).toBe(3);
    expect(await sandbox.run(['import', small])).toMatchObject({ code: 0, stderr: '' });
    expect(count(database)).toEqual({ listed: 3, all: 3 });
    expect(lostHashes(database)).toBe(0);
  });

  test('leaves nothing of its file after Ctrl-C', { tags: ['full'] }, async () => {
    const { sandbox, big } = await useBigDat();
    const database = open(sandbox);
    const program = sandbox.start(['import', big]);
    await waitUntilHalfWritten(program, database);
    program.kill('SIGINT');
    const { code, stderr } = await program.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('stopped');
    expect(count(database)).toEqual({ listed: 3, all: 3 });
    const left = 'SELECT (SELECT count(*) FROM unfinished_import) + (SELECT count(*) FROM source)';
    expect(database.prepare(left).pluck().get()).toBe(1);
  });
});

function open(sandbox: Sandbox): Database.Database {
  const database = new Database(join(sandbox.data, 'catalog.db'), { timeout: 4_000 });
  onTestFinished(() => void database.close());
  return database;
}

function count(database: Database.Database): { listed: number; all: number } {
  const sql =
    'SELECT (SELECT count(*) FROM listed_release) AS listed, (SELECT count(*) FROM release) AS "all"';
  return database.prepare<[], { listed: number; all: number }>(sql).get() as never;
}

/**
 * Tries to write once and returns true if the write succeeded. If the write fails, signals to the
 * import that a process is waiting. SQLite's own retries sleep for up to 100 ms and might miss the
 * last pause of the import.
 */
function hasWritten(database: Database.Database, sandbox: Sandbox): boolean {
  database.pragma('busy_timeout = 0');
  try {
    database.prepare("INSERT OR REPLACE INTO library_state VALUES ('test', '1')").run();
    return true;
  } catch (error) {
    if (!(error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY')) throw error;
    new WaitMark(join(sandbox.data, 'catalog.db')).set();
    return false;
  } finally {
    database.pragma('busy_timeout = 4000');
  }
}

/** Returns the number of hashes that belong to no listed release. */
function lostHashes(database: Database.Database): unknown {
  const lost =
    'SELECT count(*) FROM rom_hash WHERE release_id NOT IN (SELECT id FROM listed_release)';
  return database.prepare(lost).pluck().get();
}

async function waitUntilHalfWritten(program: Program, database: Database.Database): Promise<void> {
  while (count(database).all < ROWS / 4) {
    if (program.hasEnded) throw new Error('it ended before anything could be seen of it');
    await setTimeout(2);
  }
}
