import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { makeRar5 } from '../support/images/rar.ts';
import { type BuildLibrary, countsOf, filesIn, useBuildLibrary } from './build-library.ts';
import { noise, type PackedDisc, packedDisc, psx } from './packed-disc.ts';

const disc = packedDisc('Game (USA)');
const other = packedDisc('Other (USA)');
const unpacks = { unpacks: true };

let library: BuildLibrary;
let to = '';
/** Paths of the archives in the library. */
let archives: string[] = [];
beforeEach(async () => {
  library = await useBuildLibrary({});
  to = join(library.place, 'tree');
  archives = [await add('a.rar', disc), await add('b.rar', other)];
  await library.take([disc.row, other.row], psx, 'discs');
  await library.scan({ hash: true });
});

function add(name: string, { files }: PackedDisc): Promise<string> {
  return library.write(name, rarOf(files));
}

function rarOf(files: PackedDisc['files']): Buffer {
  return makeRar5(Object.entries(files).map(([name, content]) => ({ name, content })));
}

/** Runs `work`, then restores the times that the file had before. */
async function keepingTimes(path: string, work: () => Promise<void>): Promise<void> {
  const times = join(library.place, 'times');
  spawnSync('touch', ['-r', path, times]);
  await work();
  spawnSync('touch', ['-r', times, path]);
}

const treeOf = (...discs: readonly PackedDisc[]) =>
  Object.fromEntries(
    discs.flatMap(({ tree }) => Object.entries(tree).map(([name, text]) => [`psx/${name}`, text])),
  );
const list = { 'psx/gamelist.xml': expect.any(String) };
const temporaryFiles = async () => (await readdir(to)).filter((name) => name.endsWith('.tmp'));

describe('an archive that a build unpacks', () => {
  test('is skipped if it changed since the scan, while other archives are unpacked', async () => {
    await utimes(archives[0] ?? '', 1, 1);
    const { problems } = await library.build(to, unpacks);
    expect(problems).toHaveLength(4);
    expect(problems[0]).toMatchObject({
      kind: 'failed',
      path: 'psx/Game (USA).cue',
      why: expect.stringMatching(/a\.rar was changed or removed since the last scan/),
    });
    expect(await filesIn(to)).toEqual({ ...treeOf(other), ...list });
    expect(await temporaryFiles()).toEqual([]);
    await library.scan({ hash: true });
    expect(countsOf(await library.build(to, unpacks))).toEqual({ add: 4, replace: 1, keep: 4 });
    expect(await filesIn(to)).toEqual({ ...treeOf(disc, other), ...list });
  });

  test('leaves no damaged file if its bytes changed but not its size and time', async () => {
    const [path = ''] = archives;
    const bytes = await readFile(path);
    bytes.write('changed', bytes.indexOf(disc.files['t2.bin'] ?? '') + 100);
    await keepingTimes(path, () => writeFile(path, bytes));
    const { problems } = await library.build(to, unpacks);
    expect(problems.map(({ path }) => path)).toEqual([
      'psx/Game (USA) (Track 2).bin',
      'psx/Game (USA) (Track 3).bin',
    ]);
    expect(problems[0]?.why).toMatch(/a\.rar.* cannot be unpacked: /);
    const {
      'psx/Game (USA) (Track 2).bin': _,
      'psx/Game (USA) (Track 3).bin': __,
      ...rest
    } = treeOf(disc, other);
    expect(await filesIn(to)).toEqual({ ...rest, ...list });
    expect(await temporaryFiles()).toEqual([]);
  });

  test('is unpacked completely if its sheet is in an old encoding', async () => {
    const inUnicode = (name: string) => name.replace(/^t/, '月下 t');
    const files = Object.entries(disc.files).map(([name, content]) => {
      if (name !== 'disc.cue') return [inUnicode(name), content] as const;
      const sheet = content.toString().replaceAll('"t', '"\x8c\x8e\x89\xba t');
      return [name, Buffer.from(sheet, 'latin1')] as const;
    });
    await writeFile(archives[0] ?? '', rarOf(Object.fromEntries(files)));
    await library.scan({ hash: true });
    expect((await library.build(to, unpacks)).problems).toEqual([]);
    expect(await filesIn(to)).toEqual({ ...treeOf(disc, other), ...list });
  });

  test('is reported and not listed if its sheet names a file that it lacks', async () => {
    const files = {
      ...disc.files,
      'disc.cue': Buffer.from('FILE "no.bin" BINARY\n  TRACK 01 AUDIO\n'),
    };
    await writeFile(archives[0] ?? '', rarOf(files));
    await library.scan({ hash: true });
    const { problems } = await library.build(to, unpacks);
    expect(problems).toEqual([
      {
        kind: 'failed',
        path: 'psx/Game (USA).cue',
        why: expect.stringMatching(
          /a\.rar: disc\.cue cannot be unpacked: it names the file "no\.bin"/,
        ),
      },
    ]);
    // The list omits the game, because a front end could not start it.
    const listed = (await filesIn(to))['psx/gamelist.xml'];
    expect(listed).toContain('<path>./Other (USA).cue</path>');
    expect(listed).not.toContain('Game (USA)');
    await writeFile(archives[0] ?? '', rarOf(disc.files));
    await library.scan({ hash: true });
    expect((await library.build(to, unpacks)).problems).toEqual([]);
    const whole = (await filesIn(to))['psx/gamelist.xml'];
    expect(whole).toContain('<path>./Game (USA).cue</path>');
    expect(countsOf(await library.build(to, unpacks))).toEqual({ keep: 9 });
  });
});

describe('a build that unpacks', () => {
  test('fails on a full disk, and continues later once there is space', { tags: ['full'] }, async ({
    skip,
  }) => {
    const disk = join(library.place, 'disk');
    await mkdir(disk);
    const large = packedDisc('Large (USA)', 3, 400);
    await add('large.rar', large);
    await library.take([disc.row, other.row, large.row], psx, 'discs');
    await library.scan({ hash: true });
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]);
    if (mount.status !== 0) return skip('skipped: mounting needs root');
    onTestFinished(() => void spawnSync('umount', [disk]));
    const filler = join(disk, 'filler');
    await writeFile(filler, noise('x', 2 * 2 ** 20));
    const options = { ...unpacks, isAdopted: true };
    // The plan includes the sizes of the unpacked files, so the build fails before it writes
    // files.
    await expect(library.build(disk, options)).rejects.toThrow(/needs \d+ bytes more/);
    await rm(filler);
    const onBegin = () => writeFile(filler, noise('x', 2 * 2 ** 20));
    await expect(library.build(disk, { ...options, onBegin })).rejects.toThrow(
      /space|full|storage/,
    );
    expect((await readdir(disk)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    const { filler: _, ...whole } = await filesIn(disk);
    expect(treeOf(disc, other, large)).toMatchObject(whole);
    await rm(filler);
    const report = await library.build(disk, options);
    expect(report.problems).toEqual([]);
    expect(await filesIn(disk)).toEqual({ ...treeOf(disc, other, large), ...list });
  });

  test('continues after a stop, and leaves only foreign and changed files on undo', async () => {
    const stop = new AbortController();
    const request = await library.requestOf(to, unpacks);
    const onProgress = ({ files }: { files: number }) => {
      if (files === 5) stop.abort(new Error('stopped'));
    };
    const build = library.catalog.builds.build(request, { signal: stop.signal, onProgress });
    await expect(build).rejects.toThrow('stopped');
    const { add = 0, keep = 0 } = countsOf(await library.build(to, unpacks));
    expect(add + keep).toBe(9);
    expect(keep).toBeGreaterThan(0); // up to four of the files were still being written
    await writeFile(join(to, 'psx/mine.txt'), 'mine');
    await writeFile(join(to, 'psx/Game (USA) (Track 1).bin'), 'patched');
    const { removed, left } = await library.undo(to);
    expect([removed.length, left.map(({ path }) => path)]).toEqual([
      8,
      ['psx/Game (USA) (Track 1).bin'],
    ]);
    expect(await filesIn(to)).toEqual({
      'psx/mine.txt': 'mine',
      'psx/Game (USA) (Track 1).bin': 'patched',
    });
  });

  test('reports a foreign file with the name of a track as a conflict', async () => {
    await mkdir(join(to, 'psx'), { recursive: true });
    await writeFile(join(to, 'psx/Other (USA) (Track 2).bin'), 'mine');
    const { problems } = await library.build(to, { ...unpacks, isAdopted: true });
    expect(problems).toMatchObject([{ kind: 'conflict', path: 'psx/Other (USA) (Track 2).bin' }]);
    expect((await filesIn(to))['psx/Other (USA) (Track 2).bin']).toBe('mine');
  });

  test('compares the files in the tree with the archive if requested', async () => {
    await library.build(to, unpacks);
    const path = join(to, 'psx/Game (USA) (Track 3).bin');
    const changed = `X${(await readFile(path, 'utf8')).slice(1)}`;
    await keepingTimes(path, () => writeFile(path, changed));
    expect((await library.build(to, unpacks)).problems).toEqual([]);
    expect((await library.build(to, { ...unpacks, isVerified: true })).problems).toEqual([
      {
        kind: 'failed',
        path: 'psx/Game (USA) (Track 3).bin',
        why: expect.stringMatching(/^Its bytes differ from those of .*a\.rar: t3\.bin$/),
      },
    ]);
  });

  test('writes no track again for a moved archive or a renamed game', async () => {
    await library.build(to, unpacks);
    spawnSync('mv', [archives[0] ?? '', join(library.games.path, 'moved.rar')]);
    await library.scan({ hash: true });
    expect(countsOf(await library.build(to, unpacks))).toEqual({ keep: 9 });
    const renamed = packedDisc('Game (USA)');
    const roms = renamed.row.roms.map((rom) => ({
      ...rom,
      name: rom.name.replace('USA', 'Europe'),
    }));
    await library.take([{ name: 'Game (Europe)', roms }, other.row], psx, 'discs');
    await library.scan({ hash: true });
    const counts = countsOf(await library.build(to, unpacks));
    // The sheet contains the names of the tracks, so the build writes it again.
    expect(counts).toEqual({ rename: 3, add: 1, remove: 1, keep: 4, replace: 1 });
  });
});
