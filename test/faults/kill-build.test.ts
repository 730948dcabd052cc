/** @module-tag full */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { filesIn, writeFiles } from '../builds/build-library.ts';
import { createCliLibrary } from '../builds/cli-library.ts';
import { type Program, useSandbox } from '../support/process.ts';

const GAMES = 120;
const KILLS = 24;
/** Bytes that a journal gains for each file, about. */
const LINE = 300;

const games = Object.fromEntries(
  Array.from({ length: GAMES }, (_, i) => [`Game ${i}`, `${i} `.repeat(1 + ((i * 97) % 30_000))]),
);
/** The files that the user has in the target, one of them in a folder of the build. */
const foreign = { 'saves/a.srm': 'save', 'gb/Game 7.gb': 'patched', 'gb/mine.txt': 'mine' };

test(`${KILLS} kills of builds and undos leave whole files only, and foreign ones as they were`, async () => {
  const sandbox = await useSandbox();
  const library = await createCliLibrary(sandbox, games);
  const to = join(sandbox.folder, 'tree');
  await writeFiles(to, foreign);
  const times = async () =>
    Promise.all(Object.keys(foreign).map(async (path) => (await stat(join(to, path))).mtimeMs));
  const before = await times();
  const planned: Record<string, string> = Object.fromEntries(
    Object.entries(games).map(([name, content]) => [`gb/${name}.gb`, content]),
  );
  let list = '';
  const journal = join(to, '.catalog-build.jsonl');
  let interrupted = 0;
  const within = { staging: 0, naming: 0 };

  async function expectWhole(): Promise<void> {
    const found = await filesIn(to);
    expect(found).toMatchObject(foreign);
    expect(await times()).toEqual(before);
    for (const [path, content] of Object.entries(found)) {
      if (path in foreign) continue;
      const expected = path === 'gb/gamelist.xml' && list !== '' ? list : planned[path];
      if (path !== 'gb/gamelist.xml' || list !== '') expect(content === expected, path).toBe(true);
    }
  }

  for (let kill = 0; kill < KILLS; kill += 1) {
    const isUndo = kill % 3 === 2;
    const run = isUndo ? library.undo(to) : library.build(to, '--adopt');
    const files = Math.random() * (isUndo ? GAMES : GAMES / 2);
    if (isUndo) await untilFewer(join(to, 'gb'), files, run);
    else if (kill % 2 === 0) await untilGrown(journal, files * LINE, run);
    else await untilStaged(to, files, run);
    run.kill('SIGKILL');
    const { signal } = await run.ended;
    if (signal === 'SIGKILL') interrupted += 1;
    const staged = readdirSync(to).filter(isTemporary).length;
    const unconfirmed = await countUnconfirmed(journal);
    if (unconfirmed > 1) within.naming += 1;
    else if (staged > 1) within.staging += 1;
    await expectWhole();
  }
  console.log(`${interrupted} of ${KILLS} kills interrupted a run`, within);
  expect(interrupted).toBeGreaterThan(KILLS / 2);
  // Several files of a batch had no names yet, or had names that the journal did not confirm.
  expect(within.staging).toBeGreaterThan(0);
  expect(within.naming).toBeGreaterThan(0);

  const built = await library.build(to, '--adopt').ended;
  expect([built.code, built.stderr]).toEqual([
    1,
    expect.stringMatching(/^gb\/Game 7.gb: conflict/),
  ]);
  const all = await filesIn(to);
  list = all['gb/gamelist.xml'] ?? '';
  expect(all).toEqual({ ...planned, ...foreign, 'gb/gamelist.xml': list });
  expect(await library.undo(to).ended).toMatchObject({ code: 0, stderr: '' });
  expect(await filesIn(to)).toEqual(foreign);
  expect(await times()).toEqual(before);
  expect((await readdir(to)).sort()).toEqual(['.catalog-build.jsonl', 'gb', 'saves']);
});

/** Waits until a file has grown by some bytes, or the program has ended. */
async function untilGrown(path: string, bytes: number, run: Program): Promise<void> {
  const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const before = size();
  while (!run.hasEnded && size() < before + bytes && size() >= before) await setTimeout(1);
}

/** Waits until a folder has this many files less, or the program has ended. */
async function untilFewer(folder: string, files: number, run: Program): Promise<void> {
  const count = () => (existsSync(folder) ? readdirSync(folder).length : 0);
  const before = count();
  while (!run.hasEnded && count() > before - files) await setTimeout(0);
}

/** Waits until a folder has this many files that have no names yet, or the program has ended. */
async function untilStaged(folder: string, files: number, run: Program): Promise<void> {
  const count = () => (existsSync(folder) ? readdirSync(folder).filter(isTemporary).length : 0);
  while (!run.hasEnded && count() < files) await setTimeout(0);
}

function isTemporary(name: string): boolean {
  return name.startsWith('.catalog-build.tmp');
}

/** Returns the number of steps that a journal states and does not confirm. */
async function countUnconfirmed(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const kinds = [...text.matchAll(/^\{"do":"([a-z-]+)"/gm)].map(([, kind]) => kind ?? '');
  const count = (...of: string[]) => kinds.filter((kind) => of.includes(kind)).length;
  return count('place', 'rename', 'folder', 'remove-folder') - count('done', 'failed');
}
