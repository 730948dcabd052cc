import { spawnSync } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type BuildLibrary, useBuildLibrary } from './build-library.ts';

let library: BuildLibrary;
beforeEach(async () => {
  library = await useBuildLibrary({ 'Ant (USA)': 'ant' });
});

/** Expects that a build, a preview and an undo refuse a target and write nothing. */
async function expectRefusal(target: string, message: string): Promise<void> {
  const before = await readdir(library.folder, { recursive: true });
  for (const isAdopted of [false, true]) {
    await expect(library.build(target, { isAdopted })).rejects.toThrow(message);
    await expect(library.preview(target, { isAdopted })).rejects.toThrow(message);
  }
  await expect(library.undo(target)).rejects.toThrow(message);
  expect(await readdir(library.folder, { recursive: true })).toEqual(before);
}

describe('a build', () => {
  test('refuses a target that is, contains or is inside a library root', async () => {
    const { games, folder } = library;
    const root = `a folder of the library (${games.path}): choose another folder`;
    await expectRefusal(games.path, `${games.path} is ${root}`);
    await expectRefusal(join(games.path, 'a/b'), `is inside ${root}`);
    await expectRefusal(`${games.path}/../games/a`, `is inside ${root}`);
    await expectRefusal(folder, `${folder} contains `);
  });

  test('refuses a target in a folder that was a library root only in an earlier scan', async () => {
    const root = join(library.folder, 'former');
    await mkdir(root);
    await library.scan({ roots: [library.games, library.videos, { path: root, system: 'games' }] });
    await expectRefusal(join(root, 'tree'), `is inside a folder of the library (${root})`);
  });

  test('refuses a target that is, contains or is inside the data folder or the store', async () => {
    const data = join(library.folder, 'data');
    const what = `the data folder (${data}): choose another folder`;
    await expectRefusal(data, `${data} is ${what}`);
    await expectRefusal(join(data, 'store/games'), `is inside ${what}`);
    await expectRefusal(join(data, 'tree'), `is inside ${what}`);
    await expectRefusal(dirname(library.folder), `${dirname(library.folder)} contains `);
  });

  test('refuses a target that leads to a library root through a link', async () => {
    const link = join(library.place, 'link');
    await symlink(library.games.path, link);
    await expectRefusal(link, `${library.games.path} is a folder of the library`);
    await expectRefusal(join(link, 'new/tree'), 'is inside a folder of the library');
  });

  test('refuses a target that is a library root under another mount', async ({ skip }) => {
    const other = join(library.place, 'other');
    await mkdir(other);
    const mount = spawnSync('mount', ['--bind', library.games.path, other]);
    if (mount.status !== 0) return skip('skipped: mounting needs root');
    onTestFinished(() => void spawnSync('umount', [other]));
    await expectRefusal(other, `${other} is a folder of the library (${library.games.path})`);
    await expectRefusal(join(other, 'tree'), 'is inside a folder of the library');
  });
});
