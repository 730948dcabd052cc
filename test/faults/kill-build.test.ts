/** @module-tag full */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { filesIn, platform, writeFiles } from '../builds/build-library.ts';
import { type CliLibrary, createCliLibrary, createCliLibraryOf } from '../builds/cli-library.ts';
import { packedDisc, psx } from '../builds/packed-disc.ts';
import { makeRar5 } from '../support/images/rar.ts';
import { type Program, type Sandbox, useSandbox } from '../support/process.ts';

const GAMES = 120;
const KILLS = 24;
/** Approximate number of bytes that a journal gains for each file. */
const LINE = 300;

/** A library, and the expected result of its build. */
interface Killed {
  /** Path of the folder with the games, relative to the target. */
  readonly folder: string;
  readonly create: (sandbox: Sandbox) => Promise<CliLibrary>;
  readonly options: readonly string[];
  /** Contents of the files in the tree, by path, without the list. */
  readonly planned: Readonly<Record<string, string>>;
  /**
   * A list on the device that contains a game of the user. A build merges its games into this list.
   */
  readonly list: { readonly path: string; readonly text: string; readonly mine: string };
}

const gamelist = (folder: string) => ({
  path: `${folder}/gamelist.xml`,
  text: '<gameList>\n\t<game><path>./Mine.gb</path></game>\n</gameList>\n',
  mine: '<path>./Mine.gb</path>',
});
const playlist = {
  path: `playlists/${platform}.lpl`,
  text: `${JSON.stringify({ version: '1.5', items: [{ path: '/Mine.gb' }] }, null, 2)}\n`,
  mine: '"path": "/Mine.gb"',
};

function plainGames(profile: 'batocera' | 'retroarch'): Killed {
  const folder = profile === 'batocera' ? 'gb' : `roms/${platform}`;
  const games = Object.fromEntries(
    Array.from({ length: GAMES }, (_, i) => [`Game ${i}`, `${i} `.repeat(1 + ((i * 97) % 30_000))]),
  );
  const planned = Object.entries(games).map(([name, content]) => [`${folder}/${name}.gb`, content]);
  return {
    folder,
    create: (sandbox) => createCliLibrary(sandbox, games, profile),
    options: [],
    planned: Object.fromEntries(planned),
    list: profile === 'batocera' ? gamelist(folder) : playlist,
  };
}

/** Returns a library of discs, each with three tracks and a cue sheet in its own RAR archive. */
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
    list: gamelist('psx'),
  };
}

describe('a build', () => {
  test.for([
    ['plain files for batocera', () => plainGames('batocera')],
    ['plain files for retroarch', () => plainGames('retroarch')],
    ['files in archives', packedGames],
  ] as const)(
    `leaves only whole files after ${KILLS} kills of builds and undos: %s`,
    async ([, games]) => {
      const { folder, create, options, planned, list } = games();
      const sandbox = await useSandbox();
      const library = await create(sandbox);
      const to = join(sandbox.folder, 'tree');
      const taken = Object.keys(planned)[29] ?? '';
      // Files of the user in the target. One of them has the path of a planned game.
      const foreign: Record<string, string> = {
        'saves/a.srm': 'save',
        [taken]: 'patched',
        [`${folder}/mine.txt`]: 'mine',
      };
      await writeFiles(to, { ...foreign, [list.path]: list.text });
      const times = async () =>
        Promise.all(Object.keys(foreign).map(async (path) => (await stat(join(to, path))).mtimeMs));
      const before = await times();
      const journal = join(to, '.catalog-build.jsonl');
      let interrupted = 0;
      const within = { staging: 0, naming: 0 };

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
        const run = isUndo ? library.undo(to) : library.build(to, '--adopt', ...options);
        const files = Math.random() * (isUndo ? GAMES : GAMES / 2);
        if (isUndo) await waitUntilFewer(join(to, folder), files, run);
        else if (kill % 2 === 0) await waitUntilGrown(journal, files * LINE, run);
        else await waitUntilStaged(to, files, run);
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
      // Some kills interrupted a batch while several files had temporary names. Other kills left
      // several names that the journal did not confirm.
      expect(within.staging).toBeGreaterThan(0);
      expect(within.naming).toBeGreaterThan(0);

      const built = await library.build(to, '--adopt', ...options).ended;
      expect([built.code, built.stderr]).toEqual([
        1,
        expect.stringContaining(`${taken}: conflict`),
      ]);
      const { [list.path]: text = '', ...all } = await filesIn(to);
      expect(all).toEqual({ ...planned, ...foreign });
      for (const path of Object.keys(planned).filter((each) => /\.(gb|cue)$/.test(each))) {
        const name = path.slice(path.lastIndexOf('/'));
        expect(text.split(name), name).toHaveLength(path === taken ? 1 : 2);
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
});

/**
 * Waits until a file has grown by this number of bytes or has become smaller, or until the program
 * has ended.
 */
async function waitUntilGrown(path: string, bytes: number, run: Program): Promise<void> {
  const size = () => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const before = size();
  while (!run.hasEnded && size() < before + bytes && size() >= before) await setTimeout(1);
}

/** Waits until a folder has lost this number of files, or until the program has ended. */
async function waitUntilFewer(folder: string, files: number, run: Program): Promise<void> {
  const count = () => (existsSync(folder) ? readdirSync(folder).length : 0);
  const before = count();
  while (!run.hasEnded && count() > before - files) await setTimeout(0);
}

/** Waits until a folder has this number of temporary files, or until the program has ended. */
async function waitUntilStaged(folder: string, files: number, run: Program): Promise<void> {
  const count = () => (existsSync(folder) ? readdirSync(folder).filter(isTemporary).length : 0);
  while (!run.hasEnded && count() < files) await setTimeout(0);
}

function isTemporary(name: string): boolean {
  return name.startsWith('.catalog-build.tmp');
}

/** Returns the number of steps that a journal records but does not confirm. */
async function countUnconfirmed(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const kinds = [...text.matchAll(/^\{"do":"([a-z-]+)"/gm)].map(([, kind]) => kind ?? '');
  const count = (...of: string[]) => kinds.filter((kind) => of.includes(kind)).length;
  return count('place', 'rename', 'folder', 'remove-folder') - count('done', 'failed');
}
