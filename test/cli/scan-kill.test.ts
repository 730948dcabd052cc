/** @module-tag full */

import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { pollOptions } from '../support/poll-options.ts';
import { type Sandbox, useSandbox } from '../support/process.ts';

const FILES = 30_000;
const KILLS = 5;
/** Maximum number of files that are opened but not yet stored. */
const MAX_LOST = 16;
/** Access time of a file that was never opened, in seconds. The time is long before the test. */
const NEVER = 1;

describe('catalog scan', () => {
  // The access times of the files show which files were opened.
  test(`loses at most ${MAX_LOST} unreported files in each of ${KILLS} kills`, async (context) => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    const root = join(sandbox.folder, 'games');
    const paths = writeImages(root);
    if (!keepsAccessTimes(paths[0] as string)) {
      return context.skip('skipped: this file system keeps no access times');
    }
    const start = () => sandbox.start(['scan', '--no-hash', '--games-root', root]);
    const losses: number[] = [];
    for (let i = 0; i < KILLS; i += 1) {
      const before = storedIn(sandbox).size;
      const scan = start();
      const isLast = i === KILLS - 1;
      await vi.waitFor(() => {
        // The last scan runs until it has reported progress, which happens 2 s after its start.
        if (isLast) expect(hashedSoFar(scan.stderr)).toBeGreaterThan(0);
        else expect(storedIn(sandbox).size).toBeGreaterThan(before + 200 * Math.random());
      }, pollOptions);
      await setTimeout(30 * Math.random()); // otherwise each kill would directly follow a save
      scan.kill('SIGKILL');
      expect(await scan.ended).toMatchObject({ signal: 'SIGKILL' });
      const stored = storedIn(sandbox);
      const lost = paths.filter((path) => wasOpened(path) && !stored.has(path));
      losses.push(lost.length);
      expect(stored.size).toBeGreaterThanOrEqual(before + hashedSoFar(scan.stderr));
      for (const path of lost) markUnopened(path);
    }
    console.log(`lost in ${KILLS} kills: ${losses.join(', ')}`);
    expect(Math.max(...losses)).toBeLessThanOrEqual(MAX_LOST);
    expect(Math.max(...losses)).toBeGreaterThan(0); // otherwise access times would prove nothing
    const left = FILES - storedIn(sandbox).size;
    expect(left).toBeGreaterThan(0);
    const { stdout } = await sandbox.run(['scan', '--no-hash', '--games-root', root, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ files: FILES, looked: left });
  });
});

function writeImages(root: string): string[] {
  for (let i = 0; i < FILES; i += 1) {
    const folder = join(root, `${i % 30}`);
    if (i < 30) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${i}.iso`), `${i}`);
  }
  const paths = readdirSync(root).flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(root, folder, name)),
  );
  paths.forEach(markUnopened);
  return paths;
}

function markUnopened(path: string): void {
  utimesSync(path, NEVER, 1_000_000_000);
}

function wasOpened(path: string): boolean {
  return statSync(path).atimeMs > NEVER * 1000;
}

function keepsAccessTimes(path: string): boolean {
  readFileSync(path);
  const keeps = wasOpened(path);
  markUnopened(path);
  return keeps;
}

function storedIn(sandbox: Sandbox): ReadonlySet<string> {
  try {
    const database = new Database(join(sandbox.data, 'catalog.db'), { readonly: true });
    try {
      const sql = 'SELECT path FROM library_file';
      return new Set(database.prepare<[], string>(sql).pluck().all());
    } finally {
      database.close();
    }
  } catch {
    return new Set(); // the table does not exist yet
  }
}

/** Returns the number of finished files in the last line of progress. */
function hashedSoFar(stderr: string): number {
  return Number([...stderr.matchAll(/^identify: (\d+) of /gm)].at(-1)?.[1] ?? 0);
}
