/** @module-tag full */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { filesIn, platform, writeFiles } from '../builds/build-library.ts';
import { createCliLibrary } from '../builds/cli-library.ts';
import { type Program, useSandbox } from '../support/process.ts';

const GAMES = 120;
const KILLS = 24;
/** Bytes that a journal gains for each file, about. */
const LINE = 300;

const games = Object.fromEntries(
  Array.from({ length: GAMES }, (_, i) => [`Game ${i}`, `${i} `.repeat(1 + ((i * 97) % 30_000))]),
);
/** The lists of two devices with a game of the user. A build merges its games with them. */
const lists = {
  batocera: {
    folder: 'gb',
    path: 'gb/gamelist.xml',
    text: '<gameList>\n\t<game><path>./Mine.gb</path></game>\n</gameList>\n',
    mine: '<path>./Mine.gb</path>',
  },
  retroarch: {
    folder: `roms/${platform}`,
    path: `playlists/${platform}.lpl`,
    text: `${JSON.stringify({ version: '1.5', items: [{ path: '/Mine.gb' }] }, null, 2)}\n`,
    mine: '"path": "/Mine.gb"',
  },
} as const;

test.each(['batocera', 'retroarch'] as const)(
  `${KILLS} kills of builds and undos for %s leave whole files only, and foreign ones as they were`,
  async (profile) => {
    const sandbox = await useSandbox();
    const library = await createCliLibrary(sandbox, games, profile);
    const to = join(sandbox.folder, 'tree');
    const list = lists[profile];
    const { folder } = list;
    /** The files that the user has in the target, one of them in a folder of the build. */
    const foreign: Record<string, string> = {
      'saves/a.srm': 'save',
      [`${folder}/Game 7.gb`]: 'patched',
      [`${folder}/mine.txt`]: 'mine',
    };
    await writeFiles(to, { ...foreign, [list.path]: list.text });
    const times = async () =>
      Promise.all(Object.keys(foreign).map(async (path) => (await stat(join(to, path))).mtimeMs));
    const before = await times();
    const planned: Record<string, string> = Object.fromEntries(
      Object.entries(games).map(([name, content]) => [`${folder}/${name}.gb`, content]),
    );
    let interrupted = 0;

    async function expectWhole(): Promise<void> {
      const { [list.path]: text = '', ...found } = await filesIn(to);
      expect(found).toMatchObject(foreign);
      expect(await times()).toEqual(before);
      expect(text.split(list.mine)).toHaveLength(2);
      expect(text.endsWith(list.text.slice(-2))).toBe(true);
      for (const [path, content] of Object.entries(found)) {
        if (!(path in foreign)) expect(content === planned[path], path).toBe(true);
      }
    }

    for (let kill = 0; kill < KILLS; kill += 1) {
      const isUndo = kill % 3 === 2;
      const run = isUndo ? library.undo(to) : library.build(to, '--adopt');
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

    const built = await library.build(to, '--adopt').ended;
    expect([built.code, built.stderr]).toEqual([
      1,
      expect.stringContaining(`${folder}/Game 7.gb: conflict`),
    ]);
    const { [list.path]: text = '', ...all } = await filesIn(to);
    expect(all).toEqual({ ...planned, ...foreign });
    for (const name of Object.keys(games)) {
      expect(text.split(`/${name}.gb`), name).toHaveLength(name === 'Game 7' ? 1 : 2);
    }
    expect(await library.undo(to).ended).toMatchObject({ code: 0, stderr: '' });
    expect(await filesIn(to)).toEqual({ ...foreign, [list.path]: list.text });
    expect(await times()).toEqual(before);
    const top = ['.catalog-build.jsonl', ...Object.keys({ ...foreign, [list.path]: '' })];
    expect((await readdir(to)).sort()).toEqual(
      [...new Set(top.map((path) => path.split('/')[0]))].sort(),
    );
  },
);

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
