/** @module-tag full */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { filesIn, writeFiles } from '../builds/build-library.ts';
import { type CliLibrary, createCliLibrary, createCliLibraryOf } from '../builds/cli-library.ts';
import { packedDisc, psx } from '../builds/packed-disc.ts';
import { makeRar5 } from '../support/images/rar.ts';
import { type Program, type Sandbox, useSandbox } from '../support/process.ts';

const GAMES = 120;
const KILLS = 24;
/** Bytes that a journal gains for each file, about. */
const LINE = 300;

/** A library, and what a build of it makes. */
interface Killed {
  /** The folder of the games in the target. */
  readonly folder: string;
  readonly create: (sandbox: Sandbox) => Promise<CliLibrary>;
  readonly options: readonly string[];
  /** The files of the tree, except of the list. */
  readonly planned: Readonly<Record<string, string>>;
}

function plainGames(): Killed {
  const games = Object.fromEntries(
    Array.from({ length: GAMES }, (_, i) => [`Game ${i}`, `${i} `.repeat(1 + ((i * 97) % 30_000))]),
  );
  const planned = Object.entries(games).map(([name, content]) => [`gb/${name}.gb`, content]);
  return {
    folder: 'gb',
    create: (sandbox) => createCliLibrary(sandbox, games),
    options: [],
    planned: Object.fromEntries(planned),
  };
}

/** Discs of three tracks with a sheet, each in an archive. */
function packedGames(): Killed {
  const discs = Array.from({ length: GAMES / 4 }, (_, i) =>
    packedDisc(`Game ${i}`, 3, 1 + ((i * 97) % 100)),
  );
  const archives = discs.map(({ files }, i) => {
    const members = Object.entries(files).map(([name, content]) => ({ name, content }));
    return [`${i}.rar`, makeRar5(members)];
  });
  const rows = discs.map(({ row }) => row);
  const planned = discs.flatMap(({ tree }) =>
    Object.entries(tree).map(([name, content]) => [`psx/${name}`, content]),
  );
  return {
    folder: 'psx',
    create: (sandbox) =>
      createCliLibraryOf(sandbox, { platform: psx, files: Object.fromEntries(archives), rows }),
    options: ['--unpack'],
    planned: Object.fromEntries(planned),
  };
}

test.for([
  ['plain files', plainGames],
  ['files in archives', packedGames],
] as const)(`${KILLS} kills of builds and undos leave whole files only: %s`, async ([, games]) => {
  const { folder, create, options, planned } = games();
  const sandbox = await useSandbox();
  const library = await create(sandbox);
  const to = join(sandbox.folder, 'tree');
  const taken = Object.keys(planned)[29] ?? '';
  // The files that the user has in the target, one of them with the name of a game.
  const foreign = { 'saves/a.srm': 'save', [taken]: 'patched', [`${folder}/mine.txt`]: 'mine' };
  await writeFiles(to, foreign);
  const times = async () =>
    Promise.all(Object.keys(foreign).map(async (path) => (await stat(join(to, path))).mtimeMs));
  const before = await times();
  const listPath = `${folder}/gamelist.xml`;
  let list = '';
  let interrupted = 0;

  async function expectWhole(): Promise<void> {
    const found = await filesIn(to);
    expect(found).toMatchObject(foreign);
    expect(await times()).toEqual(before);
    for (const [path, content] of Object.entries(found)) {
      if (path in foreign) continue;
      const expected = path === listPath && list !== '' ? list : planned[path];
      if (path !== listPath || list !== '') expect(content === expected, path).toBe(true);
    }
  }

  for (let kill = 0; kill < KILLS; kill += 1) {
    const isUndo = kill % 3 === 2;
    const run = isUndo ? library.undo(to) : library.build(to, '--adopt', ...options);
    const files = Math.random() * (isUndo ? GAMES : GAMES / 2);
    if (isUndo) await untilFewer(join(to, folder), files, run);
    else await untilGrown(join(to, '.catalog-build.jsonl'), files * LINE, run);
    run.kill('SIGKILL');
    const { signal } = await run.ended;
    if (signal === 'SIGKILL') interrupted += 1;
    await expectWhole();
  }
  console.log(`${interrupted} of ${KILLS} kills interrupted a run`);
  expect(interrupted).toBeGreaterThan(KILLS / 2);

  const built = await library.build(to, '--adopt', ...options).ended;
  expect([built.code, built.stderr]).toEqual([1, expect.stringContaining(`${taken}: conflict`)]);
  const all = await filesIn(to);
  list = all[listPath] ?? '';
  expect(all).toEqual({ ...planned, ...foreign, [listPath]: list });
  expect(await library.undo(to).ended).toMatchObject({ code: 0, stderr: '' });
  expect(await filesIn(to)).toEqual(foreign);
  expect(await times()).toEqual(before);
  expect((await readdir(to)).sort()).toEqual(['.catalog-build.jsonl', folder, 'saves']);
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
