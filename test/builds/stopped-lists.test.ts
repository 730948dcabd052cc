import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { romOf } from '../library/library-fixture.ts';
import { type BuildLibrary, countsOf, filesIn, useBuildLibrary } from './build-library.ts';

const color = 'Nintendo - Game Boy Color';
const favorite = '<favorite>true</favorite>';
const lists = ['gb/gamelist.xml', 'gbc/gamelist.xml'];
const mine = '<game><path>./Mine.gb</path><name>Mine</name></game>';

/** Returns a library with a Game Boy and a Game Boy Color game, and the folder of its builds. */
async function useTwoPlatforms(): Promise<{ library: BuildLibrary; to: string }> {
  const library = await useBuildLibrary({ 'Ant (USA)': 'ant' });
  await library.add('bee');
  await library.take([{ name: 'Bee (USA)', roms: [romOf('bee', 'Bee (USA).gbc')] }], color, 'gbc');
  await library.scan({ hash: true });
  return { library, to: join(library.place, 'tree') };
}

/** Marks the first game of each list as a favorite and adds a game, like a front end. */
async function play(to: string): Promise<void> {
  for (const path of lists) {
    const text = await readFile(join(to, path), 'utf8');
    const played = text.replace('</game>', `${favorite}</game>`);
    await writeFile(join(to, path), played.replace('</gameList>', `${mine}</gameList>`));
  }
}

/** Returns a watch that throws before the step with this number, counted from 1. */
function stopBefore(step: number) {
  const begun = new Set<number>();
  return {
    signal: new AbortController().signal,
    onProgress({ files }: { files: number }) {
      if (begun.has(files)) return;
      begun.add(files);
      if (begun.size === step) throw new Error('stopped');
    },
  };
}

describe('a build with lists that a player has changed', () => {
  test('completes an undo that stopped at any step, and keeps the changes', async () => {
    const { library, to } = await useTwoPlatforms();
    const { builds } = library.catalog;
    let stops = 0;
    for (let step = 1; step < 20; step += 1) {
      await rm(to, { recursive: true, force: true });
      await library.build(to);
      await play(to);
      const undo = builds.undo(to, { ...stopBefore(step), isPreview: false });
      const isStopped = await undo.then(
        () => false,
        () => true,
      );
      if (isStopped) stops += 1;
      await library.undo(to);
      const left = await filesIn(to);
      expect(Object.keys(left).sort(), `step ${step}`).toEqual(lists);
      for (const text of Object.values(left)) {
        expect(text).toContain(favorite);
        expect(text).toContain(mine);
        expect(text).not.toContain('(USA)</name>');
      }
      if (!isStopped) break;
    }
    expect(stops).toBe(4);
  });

  test('keeps the changes when it runs after a stopped undo', async () => {
    const { library, to } = await useTwoPlatforms();
    await library.build(to);
    await play(to);
    const undo = library.catalog.builds.undo(to, { ...stopBefore(4), isPreview: false });
    await expect(undo).rejects.toThrow('stopped');
    await library.build(to);
    for (const path of lists) expect((await filesIn(to))[path]).toContain(mine);
    expect(countsOf(await library.build(to))).toEqual({ keep: 4 });
    await library.undo(to);
    for (const path of lists) expect((await filesIn(to))[path]).toContain(favorite);
  });

  test('keeps the list of a platform that left the set, without the built games', async () => {
    const { library, to } = await useTwoPlatforms();
    await library.build(to);
    await play(to);
    await library.build(to);
    for (const item of await library.items()) {
      if ((await readFile(join(library.games.path, item.name), 'utf8')) === 'bee') {
        await rm(join(library.games.path, item.name));
      }
    }
    await library.scan({ hash: true });
    expect(countsOf(await library.build(to))).toEqual({ keep: 2, remove: 1, replace: 1 });
    const list = (await filesIn(to))['gbc/gamelist.xml'];
    expect(list).toContain(mine);
    expect(list).toContain(favorite);
    expect(list).not.toContain('<name>Bee (USA)');
    // From now on, the list belongs to the player.
    expect(countsOf(await library.build(to))).toEqual({ keep: 2 });
    // The next build keeps the list and does not write the journal.
    const journal = join(to, '.catalog-build.jsonl');
    const { mtimeNs } = await stat(journal, { bigint: true });
    await library.build(to);
    expect((await stat(journal, { bigint: true })).mtimeNs).toBe(mtimeNs);
    await library.undo(to);
    expect((await filesIn(to))['gbc/gamelist.xml']).toBe(list);
  });

  test('removes games from a list even after a build that stopped at any step', {
    tags: ['full'],
  }, async () => {
    let stops = 0;
    for (let step = 1; step < 20; step += 1) {
      const library = await useBuildLibrary({ 'Ant (USA)': 'ant', 'Bee (USA)': 'bee' });
      const to = join(library.place, 'tree');
      await library.build(to);
      const path = join(to, 'gb/gamelist.xml');
      await writeFile(
        path,
        (await readFile(path, 'utf8')).replaceAll('</game>', `${favorite}</game>`),
      );
      for (const item of await library.items()) {
        if ((await readFile(join(library.games.path, item.name), 'utf8')) === 'bee') {
          await rm(join(library.games.path, item.name));
        }
      }
      await library.name({ 'Ant II (USA)': 'ant' });
      const set = await library.requestOf(to);
      const isStopped = await library.catalog.builds.build(set, stopBefore(step)).then(
        () => false,
        () => true,
      );
      if (isStopped) stops += 1;
      await library.build(to);
      const list = await readFile(path, 'utf8');
      expect(list.split('<game>')).toHaveLength(2);
      expect(list).toContain('Ant II (USA).gb');
      expect(list, `step ${step}`).toContain(favorite);
      if (!isStopped) break;
    }
    expect(stops).toBe(3);
  });
});
