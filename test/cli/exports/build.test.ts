import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { filesIn } from '../../builds/build-library.ts';
import { type CliLibrary, createCliLibrary } from '../../builds/cli-library.ts';
import { pollOptions } from '../../support/poll-options.ts';
import { openSandbox, type Program, type Sandbox } from '../../support/process.ts';

/** Enough games that a build does not end before a test has stopped it. */
const games = Object.fromEntries(
  Array.from({ length: 300 }, (_, i) => [`Game ${i}`, `${i} `.repeat(2_000)]),
);
const count = Object.keys(games).length + 1; // with the gamelist.xml

let sandbox: Sandbox;
let library: CliLibrary;
beforeAll(async () => {
  sandbox = await openSandbox();
  library = await createCliLibrary(sandbox, games);
});
afterAll(() => sandbox.close());

/** Waits for the end of a program. Omits the lines of progress, which only a slow build prints. */
async function endOf({ ended }: Program) {
  const result = await ended;
  return { ...result, stderr: result.stderr.replaceAll(/^build: file .*\n/gm, '') };
}

const contentOf = (path: string) => games[path.replace(/^gb\/|\.gb$/g, '')];
const isNew = async (path: string) => !(await stat(path).catch(() => null));

/** Waits until a build has written some files. */
async function waitUntilWriting(to: string, build: Program): Promise<void> {
  await vi.waitFor(async () => {
    expect(build.hasEnded).toBe(false);
    expect(await readdir(join(to, 'gb')).catch(() => [])).not.toEqual([]);
  }, pollOptions);
}

describe('catalog build', () => {
  test("builds and undoes a device's folder, keeps changed files, and reports both", async () => {
    const to = join(sandbox.folder, 'tree');
    const plan = await endOf(library.build(to, '--dry-run'));
    expect(plan).toMatchObject({ code: 0, stderr: '' });
    expect(plan.stdout).toContain('add\tgb/Game 0.gb\n');
    expect(plan.stdout).toMatch(
      new RegExp(`\n${to}: add ${count}\n[0-9]+ bytes to write, [0-9]+ bytes free\n$`),
    );
    expect(await isNew(to)).toBe(true);
    const built = await endOf(library.build(to));
    expect(built).toMatchObject({ code: 0, stdout: `${to}: added ${count}\n`, stderr: '' });
    await writeFile(join(to, 'gb/Game 1.gb'), 'patched');
    const again = await endOf(library.build(to));
    const problem =
      'gb/Game 1.gb: conflict: It was changed since the build, so it stays as it is\n';
    expect(again).toMatchObject({
      code: 1,
      stdout: `${to}: kept ${count - 1}, in conflict 1\n`,
      stderr: problem,
    });
    const json = JSON.parse((await endOf(library.build(to, '--json'))).stdout);
    expect(json).toMatchObject({
      target: to,
      dry_run: false,
      counts: { add: 0, replace: 0, rename: 0, keep: count - 1, remove: 0 },
      problems: [{ kind: 'conflict', path: 'gb/Game 1.gb' }],
      left_out: [],
      not_in_library: 0,
    });
    expect(await endOf(library.undo(to))).toMatchObject({
      code: 0,
      stdout: `${to}: removed ${count - 1} files, 1 changed files stay\n`,
      stderr: problem,
    });
    expect(await filesIn(to)).toEqual({ 'gb/Game 1.gb': 'patched' });
  });

  test('stops between two files on a signal, and continues in the next run', async () => {
    const to = join(sandbox.folder, 'stopped');
    const build = library.build(to);
    await waitUntilWriting(to, build);
    build.kill('SIGINT');
    expect(await endOf(build)).toMatchObject({
      code: 130,
      stderr: 'catalog: stopped; all files in the folder are whole: run it again to continue\n',
    });
    const written = Object.keys(await filesIn(to)).length;
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(count);
    const { stdout } = await endOf(library.build(to));
    expect(stdout).toBe(`${to}: added ${count - written}, kept ${written}\n`);
  });

  test('refuses a folder in which another process builds', { tags: ['full'] }, async () => {
    const to = join(sandbox.folder, 'busy');
    const first = library.build(to);
    await waitUntilWriting(to, first);
    first.kill('SIGSTOP');
    for (const second of [library.build(to), library.undo(to)]) {
      const { code, stderr } = await endOf(second);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`another process is building in ${to}: wait until it ends`),
      ]);
    }
    first.kill('SIGCONT');
    expect(await endOf(first)).toMatchObject({ code: 0, stdout: `${to}: added ${count}\n` });
  });

  test('exits with 2 for invalid arguments, and creates nothing', { tags: ['full'] }, async () => {
    const to = join(sandbox.folder, 'none');
    const run = (...args: string[]) => sandbox.run(['build', '--to', to, ...args]);
    for (const [args, message] of [
      [['--profile', 'es-de'], 'missing argument "set": name a set, or use --undo'],
      [['All'], '--profile is missing: name a device'],
      [['All', '--profile', 'none'], '--profile: "none" is not a profile'],
      [['All', '--mode', 'move'], 'use auto, reflink, hardlink, copy'],
      [['All', '--undo'], 'name no set and no profile'],
    ] as const) {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
    expect(await isNew(to)).toBe(true);
  });

  test('reports a folder on a read-only file system', { tags: ['full'] }, async ({ skip }) => {
    const to = join(sandbox.folder, 'read-only');
    await mkdir(to);
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', to]);
    if (mount.status !== 0) return skip('skipped: mounting a tmpfs needs root');
    onTestFinished(() => void spawnSync('umount', [to]));
    expect(await endOf(library.build(to))).toMatchObject({
      code: 1,
      stderr: `catalog: cannot write to ${to}: the file system is read-only\n`,
    });
  });

  test('refuses a disk without space; if it fills up, leaves whole files that --undo removes', {
    tags: ['full'],
  }, async ({ skip }) => {
    const to = join(sandbox.folder, 'full');
    await mkdir(to);
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=5m', 'tmpfs', to]);
    if (mount.status !== 0) return skip('skipped: mounting a tmpfs needs root');
    onTestFinished(() => void spawnSync('umount', [to]));
    const large = join(to, 'large');
    await writeFile(large, Buffer.alloc(4 << 20));
    const refused = await endOf(library.build(to, '--adopt'));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /has [0-9]+ bytes free, and the build needs [0-9]+ bytes more\n$/,
    );
    expect(Object.keys(await filesIn(to))).toEqual(['large']);
    const plan = await endOf(library.build(to, '--adopt', '--dry-run'));
    expect([plan.code, plan.stderr]).toEqual([1, expect.stringMatching(/ lacks [0-9]+ bytes for/)]);
    await rm(large);
    const build = library.build(to);
    await waitUntilWriting(to, build);
    build.kill('SIGSTOP');
    spawnSync('dd', ['if=/dev/zero', `of=${large}`, 'bs=4096']);
    build.kill('SIGCONT');
    const { code, stderr } = await endOf(build);
    expect([code, stderr]).toEqual([1, expect.stringContaining('insufficient storage')]);
    const { large: zeroes, ...written } = await filesIn(to);
    expect(Object.keys(written).length).toBeGreaterThan(0);
    for (const [path, content] of Object.entries(written)) expect(content).toBe(contentOf(path));
    expect(await endOf(library.undo(to))).toMatchObject({ code: 0, stderr: '' });
    expect(await filesIn(to)).toEqual({ large: zeroes });
  });
});
