import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import {
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type BuildLibrary,
  countsOf,
  filesIn,
  useBuildLibrary,
  writeFiles,
} from './build-library.ts';

const ant = 'gb/Ant (USA).gb';
const bee = 'gb/Bee (USA).gb';
const list = 'gb/gamelist.xml';
const journal = '.catalog-build.jsonl';
const changed = 'It was changed since the build, so it stays as it is';
const foreign = 'A file that no build made has this name, so it stays as it is';

let library: BuildLibrary;
let to: string;
beforeEach(async () => {
  library = await useBuildLibrary({ 'Ant (USA)': 'ant', 'Bee (USA)': 'bee' });
  to = join(library.place, 'tree');
});

const inodeOf = async (path: string) => (await stat(join(to, path), { bigint: true })).ino;
const build = async (options = {}) => countsOf(await library.build(to, options));

describe('a build', () => {
  test('adds the files of a tree, keeps them if repeated, and removes them on undo', async () => {
    expect(await build()).toEqual({ add: 3 });
    const files = await filesIn(to);
    expect(files).toEqual({ [ant]: 'ant', [bee]: 'bee', [list]: expect.any(String) });
    expect(files[list]).toContain('<path>./Ant (USA).gb</path>');
    const before = await inodeOf(ant);
    expect(await build()).toEqual({ keep: 3 });
    expect(await inodeOf(ant)).toBe(before);
    expect(await library.undo(to)).toMatchObject({
      removed: [ant, bee, list],
      stripped: [],
      left: [],
    });
    expect(await readdir(to)).toEqual([journal]);
    expect(await library.undo(to)).toMatchObject({ removed: [], left: [] });
    expect(await build()).toEqual({ add: 3 });
  });

  test('writes nothing in a preview', async () => {
    expect(countsOf(await library.preview(to))).toEqual({ add: 3 });
    await expect(stat(to)).rejects.toThrow('ENOENT');
    await mkdir(to);
    await library.preview(to);
    expect(await readdir(to)).toEqual([]);
    await library.build(to);
    const { mtimeMs, size } = await stat(join(to, journal));
    expect(countsOf(await library.preview(to))).toEqual({ keep: 3 });
    expect(await stat(join(to, journal))).toMatchObject({ mtimeMs, size });
  });

  test('renames a file whose game was renamed, and replaces only the metadata', async () => {
    await library.build(to);
    const before = await inodeOf(ant);
    await library.name({ 'Ant II (USA)': 'ant', 'Bee (USA)': 'bee' });
    const report = await library.build(to);
    expect(countsOf(report)).toEqual({ rename: 1, keep: 1, replace: 1 });
    expect(report.steps).toContainEqual({
      step: 'rename',
      from: ant,
      path: 'gb/Ant II (USA).gb',
      size: 3,
    });
    expect(await inodeOf('gb/Ant II (USA).gb')).toBe(before);
    const files = await filesIn(to);
    expect(Object.keys(files).sort()).toEqual(['gb/Ant II (USA).gb', bee, list]);
    expect(files[list]).toContain('Ant II');
  });

  test('swaps the names of two games', async () => {
    await library.build(to);
    await library.name({ 'Ant (USA)': 'bee', 'Bee (USA)': 'ant' });
    expect(await build()).toEqual({ replace: 2, keep: 1 });
    expect(await filesIn(to)).toMatchObject({ [ant]: 'bee', [bee]: 'ant' });
    expect(await build()).toEqual({ keep: 3 });
  });

  test('adds the files of new games, and removes those of games that left the set', async () => {
    await library.build(to);
    await library.add('cat');
    await rm(
      join(library.games.path, (await library.items()).find((i) => i.size === 3)?.name ?? ''),
    );
    await library.name({ 'Ant (USA)': 'ant', 'Bee (USA)': 'bee', 'Cat (USA)': 'cat' });
    const report = await library.build(to);
    expect(countsOf(report)).toEqual({ add: 1, keep: 1, remove: 1, replace: 1 });
    expect(await filesIn(to)).toMatchObject({ 'gb/Cat (USA).gb': 'cat' });
  });

  describe('a folder with foreign files', () => {
    const files = { 'saves/mine.srm': 'mine', [ant]: 'my ant' };
    beforeEach(() => writeFiles(to, files));

    test('is refused', async () => {
      const refusal = `${to} has files that no build made: choose another folder`;
      await expect(library.build(to)).rejects.toThrow(refusal);
      await expect(library.preview(to)).rejects.toThrow(refusal);
      expect(await filesIn(to)).toEqual(files);
      expect(await readdir(to)).toEqual(['gb', 'saves']);
    });

    test('keeps its files if it is adopted, and is unchanged after an undo', async () => {
      const report = await library.build(to, { isAdopted: true });
      expect(report.problems).toEqual([{ kind: 'conflict', path: ant, why: foreign }]);
      expect(await filesIn(to)).toMatchObject({ ...files, [bee]: 'bee' });
      expect(await build()).toEqual({ keep: 2, conflict: 1 });
      await library.undo(to);
      expect(await filesIn(to)).toEqual(files);
    });
  });

  test('leaves files that a user changed or replaced since the last build', async () => {
    await library.build(to);
    // A file with the same size and time has another inode.
    const { atime, mtime } = await stat(join(to, ant));
    await writeFile(join(to, 'new'), 'ANT');
    await utimes(join(to, 'new'), atime, mtime);
    await rename(join(to, 'new'), join(to, ant));
    await writeFile(join(to, bee), 'a longer bee');
    const { problems } = await library.build(to);
    const left = [ant, bee].map((path) => ({ kind: 'conflict', path, why: changed }));
    expect(problems).toEqual(left);
    expect(await library.undo(to)).toMatchObject({ removed: [list], left });
    expect(await filesIn(to)).toEqual({ [ant]: 'ANT', [bee]: 'a longer bee' });
    // After the undo, both files belong to the user.
    const { problems: later } = await library.build(to);
    expect(later).toEqual([ant, bee].map((path) => ({ kind: 'conflict', path, why: foreign })));
  });

  test('does not remove a changed file whose game left the set', async () => {
    await library.build(to);
    await writeFile(join(to, ant), 'patched');
    await library.name({ 'Ant II (USA)': 'ant', 'Bee (USA)': 'bee' });
    expect((await library.build(to)).problems).toEqual([
      { kind: 'conflict', path: ant, why: changed },
    ]);
    expect(await filesIn(to)).toMatchObject({ [ant]: 'patched', 'gb/Ant II (USA).gb': 'ant' });
    expect(await build()).toEqual({ keep: 3 });
  });

  test('writes a file again that a user removed', async () => {
    await library.build(to);
    await rm(join(to, ant));
    expect(await build()).toEqual({ add: 1, keep: 2 });
    expect(await filesIn(to)).toMatchObject({ [ant]: 'ant' });
  });

  test('keeps a file of an earlier build whose source this host now lacks', async () => {
    const library = await useBuildLibrary({ 'Ant (USA)': 'ant', 'Bee (USA)': 'bee' });
    const to = join(library.place, 'tree');
    await library.build(to);
    const request = await library.requestOf(to);
    const readTree: typeof request.readTree = async function* (options) {
      for await (const part of request.readTree(options)) {
        const isLacking = part.kind === 'game' && part.path === 'gb/Ant (USA).gb';
        yield isLacking ? { ...part, file: { ...part.file, id: 10 ** 9 } } : part;
      }
    };
    const watch = { signal: new AbortController().signal, onProgress() {} };
    const report = await library.catalog.builds.build({ ...request, readTree }, watch);
    expect(report.problems).toMatchObject([
      { kind: 'failed', path: 'gb/Ant (USA).gb', why: expect.stringContaining('does not have') },
    ]);
    expect(countsOf(report)).toEqual({ keep: 2, failed: 1 });
    expect((await filesIn(to))['gb/Ant (USA).gb']).toBe('ant');
    expect(countsOf(await library.build(to))).toEqual({ keep: 3 });
    expect((await library.undo(to)).removed).toHaveLength(3);
  });

  test('reports a library file that changed since the scan, and writes the others', async () => {
    const [first] = await library.items();
    await writeFile(join(library.games.path, first?.name ?? ''), 'changed');
    const { problems, ...report } = await library.build(to);
    expect(problems).toMatchObject([{ kind: 'failed', why: expect.stringContaining('scan the') }]);
    expect(countsOf({ ...report, problems })).toEqual({ add: 2, failed: 1 });
    expect(report.steps.map(({ path }) => path).sort()).toEqual([bee, list]);
    expect(report.bytes).toBe(3 + (await stat(join(to, list))).size);
    expect(Object.values(await filesIn(to))).not.toContain('changed');
  });

  describe('a symbolic link in the target', () => {
    test('is not followed if it replaces a folder', async () => {
      const elsewhere = join(library.place, 'elsewhere');
      await mkdir(to);
      await mkdir(elsewhere);
      await symlink(elsewhere, join(to, 'gb'));
      const { problems } = await library.build(to, { isAdopted: true });
      const why = 'The folder gb is a link, which is not followed';
      expect(problems).toEqual([ant, bee, list].map((path) => ({ kind: 'conflict', path, why })));
      expect(await readdir(elsewhere)).toEqual([]);
    });

    test('is not followed by an undo if it replaces a folder', async () => {
      await library.build(to);
      await rename(join(to, 'gb'), join(to, 'moved'));
      await symlink(join(to, 'moved'), join(to, 'gb'));
      expect((await library.undo(to)).removed).toEqual([]);
      expect(await readdir(join(to, 'moved'))).toHaveLength(3);
    });

    test('is left as it is at the path of a game, like the file that it leads to', async () => {
      await mkdir(join(to, 'gb'), { recursive: true });
      await writeFile(join(to, 'mine'), 'mine');
      await symlink(join(to, 'mine'), join(to, ant));
      const { problems } = await library.build(to, { isAdopted: true });
      expect(problems).toMatchObject([{ kind: 'conflict', path: ant }]);
      expect(await filesIn(to)).toMatchObject({ mine: 'mine', [ant]: 'link' });
    });

    test('is refused at the path of the journal', async () => {
      await mkdir(to);
      await writeFile(join(library.place, 'victim'), 'mine');
      await symlink(join(library.place, 'victim'), join(to, journal));
      const refusal = `${join(to, journal)} is a link: remove it`;
      await expect(library.build(to, { isAdopted: true })).rejects.toThrow(refusal);
      expect(await filesIn(library.place)).toMatchObject({ victim: 'mine' });
    });
  });

  test('ignores the last line of the journal if a crash cut it', async () => {
    await library.build(to);
    await writeFile(join(to, journal), '{"do":"remo', { flag: 'a' });
    expect(await build()).toEqual({ keep: 3 });
    await library.name({ 'Ant II (USA)': 'ant', 'Bee (USA)': 'bee' });
    await library.build(to);
    expect(await build()).toEqual({ keep: 3 });
  });

  test('refuses to undo with a journal that contains a path outside of the target', async () => {
    await library.build(to);
    const lines = '{"do":"remove","path":"../../games/x"}\n{"do":"done"}\n';
    await writeFile(join(to, journal), lines, { flag: 'a' });
    await expect(library.undo(to)).rejects.toThrow(/is damaged in line \d+: choose another/);
    expect(Object.keys(await filesIn(to))).toHaveLength(3);
  });

  test('refuses to replace the tree of another device', async () => {
    await library.build(to);
    await expect(library.build(to, { profile: 'es-de' })).rejects.toThrow(
      `${to} has the tree of the set "All" for batocera: choose another folder, or undo that build first`,
    );
    await library.undo(to);
    await library.build(to, { profile: 'es-de' });
    expect(Object.keys(await filesIn(to))).toContain('ROMs/gb/Ant (USA).gb');
  });

  test('refuses to replace the tree of another set that has the same id or name', async () => {
    await library.build(to);
    const request = await library.requestOf(to);
    const watch = { signal: new AbortController().signal, onProgress() {} };
    for (const other of [{ name: 'Other' }, { id: request.set.id + 1 }]) {
      const set = { ...request.set, ...other };
      await expect(library.catalog.builds.build({ ...request, set }, watch)).rejects.toThrow(
        'has the tree of the set "All"',
      );
    }
  });

  test('writes nothing to the journal if nothing changes', async () => {
    await library.build(to);
    const { mtimeNs, size } = await stat(join(to, journal), { bigint: true });
    await build();
    expect(await stat(join(to, journal), { bigint: true })).toMatchObject({ mtimeNs, size });
  });

  test('refuses an undo where nothing was built', async () => {
    await expect(library.undo(to)).rejects.toThrow(`${to} has no journal of a build`);
    await expect(stat(to)).rejects.toThrow('ENOENT');
  });

  test('compares all games with the library if requested', async () => {
    await library.build(to, { isVerified: true });
    const times = join(library.place, 'times');
    execFileSync('cp', ['--preserve=timestamps', join(to, ant), times]);
    await writeFile(join(to, ant), 'ANT');
    execFileSync('touch', ['-r', times, join(to, ant)]);
    expect(await build()).toEqual({ keep: 3 });
    const { problems } = await library.build(to, { isVerified: true });
    expect(problems).toEqual([
      { kind: 'failed', path: ant, why: expect.stringContaining('Its bytes differ from those of') },
    ]);
    // A build also compares a file that it renames.
    await library.name({ 'Ant II (USA)': 'ant', 'Bee (USA)': 'bee' });
    const renamed = await library.build(to, { isVerified: true });
    expect(renamed.problems).toMatchObject([{ kind: 'failed', path: 'gb/Ant II (USA).gb' }]);
  });

  test('stops if its folder is moved away or replaced by another one', async () => {
    const request = await library.requestOf(to);
    const { signal } = new AbortController();
    const movedFolder = join(library.place, 'away');
    for (const replace of [false, true]) {
      let isMoved = false;
      const onProgress = () => {
        if (isMoved) return;
        renameSync(to, movedFolder);
        if (replace) mkdirSync(to);
        isMoved = true;
      };
      await expect(library.catalog.builds.build(request, { signal, onProgress })).rejects.toThrow(
        `${to} is gone`,
      );
      if (replace) expect(await readdir(to)).toEqual([]);
      await rm(movedFolder, { recursive: true });
    }
  });

  test('stops an undo if another tree replaces its folder, and keeps that tree', async () => {
    const other = join(library.place, 'other');
    await library.build(to);
    await library.build(other);
    await library.undo(other);
    await library.build(other);
    const before = await readFile(join(other, journal), 'utf8');
    const { signal } = new AbortController();
    let calls = 0;
    const onProgress = () => {
      calls += 1;
      if (calls !== 2) return;
      renameSync(to, join(library.place, 'away'));
      renameSync(other, to);
    };
    const undo = library.catalog.builds.undo(to, { signal, onProgress, isPreview: false });
    await expect(undo).rejects.toThrow(`${to} is gone`);
    expect(await readFile(join(to, journal), 'utf8')).toBe(before);
    expect(Object.keys(await filesIn(to)).sort()).toEqual([ant, bee, list]);
  });

  test('creates hard links only if requested, and keeps the library files on undo', async () => {
    await library.build(to, { mode: 'hardlink' });
    expect((await stat(join(to, ant))).nlink).toBe(2);
    await library.undo(to);
    const names = await readdir(library.games.path);
    expect(names).toHaveLength(2);
    await library.build(to);
    expect((await stat(join(to, ant))).nlink).toBe(1);
  });
});

describe('a build step that a crash left unconfirmed', () => {
  const muos = { profile: 'muos' };
  const former = 'ROMS/gb/Ant (USA).gb';
  const now = 'ROMS/gb/Ant II (USA).gb';

  /** Removes the last lines of the journal. */
  async function forgetLines(count: number): Promise<void> {
    const lines = (await readFile(join(to, journal), 'utf8')).split('\n');
    await writeFile(join(to, journal), `${lines.slice(0, -1 - count).join('\n')}\n`);
  }

  test('is recognised as done if its file exists', async () => {
    await library.build(to);
    await forgetLines(1);
    expect(countsOf(await library.preview(to))).toEqual({ keep: 3 });
    expect(await build()).toEqual({ keep: 3 });
    await forgetLines(1);
    expect((await library.undo(to)).removed).toHaveLength(3);
    expect(await readdir(to)).toEqual([journal]);
  });

  test('is repeated if its file is missing, and its temporary file is removed', async () => {
    await library.build(to);
    await forgetLines(1);
    await rename(join(to, list), join(to, '.catalog-build.tmp'));
    expect(await build()).toEqual({ add: 1, keep: 2 });
    expect((await readdir(to)).sort()).toEqual([journal, 'gb']);
  });

  test('is completed if its file has both the old and the new name', async () => {
    await library.build(to, muos);
    await library.name({ 'Ant II (USA)': 'ant', 'Bee (USA)': 'bee' });
    expect(await build(muos)).toEqual({ rename: 1, keep: 1 });
    await forgetLines(1);
    await link(join(to, now), join(to, former));
    expect(await build(muos)).toEqual({ keep: 2 });
    expect(Object.keys(await filesIn(to))).not.toContain(former);
    expect(await filesIn(to)).toMatchObject({ [now]: 'ant' });
  });

  test('is not recognised as done if a foreign file has the name of its file', async () => {
    await library.build(to, muos);
    await forgetLines(1);
    await rm(join(to, 'ROMS/gb/Bee (USA).gb'));
    await writeFile(join(to, 'ROMS/gb/Bee (USA).gb'), 'mine');
    expect(await build(muos)).toEqual({ keep: 1, conflict: 1 });
    await library.undo(to);
    expect(await filesIn(to)).toEqual({ 'ROMS/gb/Bee (USA).gb': 'mine' });
  });
});
