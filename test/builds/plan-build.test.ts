import { describe, expect, test } from 'vitest';
import { type BuildEntry, type Found, haveCommonKey } from '../../src/core/builds/build-entry.ts';
import { type BuildStep, planBuild } from '../../src/core/builds/plan-build.ts';
import type { TreeFile } from '../../src/core/builds/tree-file.ts';

const precision = { hasInodes: true, timeStepNs: 1n };
const contents = ['a', 'b', 'c', 'd', 'e'];

const entry = (path: string, content: string): BuildEntry => ({
  ...{ path, kind: 'game', keys: [content], size: 1, mtimeNs: 5n, list: null },
  inode: BigInt(content.charCodeAt(0)),
});
const file = (path: string, content: string): TreeFile => {
  const source = { id: 1, root: '/l', path: `/l/${content}`, size: 1, mtimeNs: 1n, sha1: null };
  return { path, kind: 'game', keys: [content], size: 1, source, sheetNames: null, packed: null };
};
/** Returns the plan for a target that contains the files of its journal and the files `foreign`. */
function plan(
  tree: Readonly<Record<string, string>>,
  built: Readonly<Record<string, string>>,
  { foreign = [] as string[], lacking = [] as string[], ignoresCase = false } = {},
): BuildStep[] {
  const entries = new Map(Object.entries(built).map(([path, c]) => [path, entry(path, c)]));
  const found = new Map<string, Found>();
  for (const [path, facts] of entries) found.set(path, { is: 'file', facts });
  for (const path of foreign) {
    found.set(path, { is: 'file', facts: { size: 9, mtimeNs: 9n, inode: 9n } });
  }
  const files = Object.entries(tree).map(([path, content]) => file(path, content));
  const history = { former: new Map(), lost: new Set<string>(), lacking };
  return planBuild(files, { entries, found, precision, ignoresCase, ...history });
}

/** Formats a step as one line. */
function line(step: BuildStep): string {
  if (step.do === 'conflict') return `conflict ${step.path}`;
  if (step.do === 'remove' || step.do === 'forget') return `${step.do} ${step.before.path}`;
  return step.do === 'rename'
    ? `rename ${step.before.path} ${step.file.path}`
    : `${step.do} ${step.file.path}`;
}

describe('the plan of a build', () => {
  test('renames files in an order in which each new name is free', () => {
    const steps = plan({ '2': 'a', '3': 'b', '4': 'c' }, { '1': 'a', '2': 'b', '3': 'c' });
    expect(steps.map(line)).toEqual(['rename 3 4', 'rename 2 3', 'rename 1 2']);
  });

  test('rewrites files that swap their names', () => {
    const steps = plan({ '1': 'b', '2': 'a' }, { '1': 'a', '2': 'b' });
    expect(steps.map(line)).toEqual(['replace 1', 'replace 2']);
  });

  test('removes a file before another file gets its name', () => {
    const steps = plan({ '2': 'a' }, { '1': 'a', '2': 'b' });
    expect(steps.map(line)).toEqual(['remove 2', 'rename 1 2']);
  });

  test('adds a file at a path only after the former file there is renamed', () => {
    const steps = plan({ '1': 'c', '2': 'a' }, { '1': 'a' });
    expect(steps.map(line)).toEqual(['rename 1 2', 'add 1']);
  });

  test('adds the second copy of a file that the tree has twice', () => {
    const steps = plan({ '1': 'a', '2': 'a' }, { '1': 'a' });
    expect(steps.map(line)).toEqual(['keep 1', 'add 2']);
  });

  test('reports names that differ only in case if the file system ignores case', () => {
    const tree = { 'a/Game': 'a', 'A/game': 'b' };
    expect(plan(tree, {}).map(line)).toEqual(['add a/Game', 'add A/game']);
    const steps = plan(tree, {}, { ignoresCase: true });
    expect(steps.map(line)).toEqual(['conflict A/game', 'add a/Game']);
  });

  test('changes the case of a file name if the file system ignores case', () => {
    const found = { foreign: ['Game'], ignoresCase: true };
    expect(plan({ Game: 'a' }, { game: 'a' }, found).map(line)).toEqual(['rename game Game']);
  });

  test('does not remove a file whose source this host lacks', () => {
    const built = { '1': 'a', '2': 'b' };
    expect(plan({ '3': 'a' }, built, { lacking: ['1'] }).map(line)).toEqual(['remove 2', 'add 3']);
    const steps = plan({ '2': 'b' }, { ...built, Game: 'c' }, { lacking: ['game'] });
    expect(steps.map(line)).toEqual(['remove 1', 'remove Game', 'keep 2']);
    const found = { lacking: ['game'], ignoresCase: true };
    expect(plan({ '2': 'b' }, { Game: 'c', '2': 'b' }, found).map(line)).toEqual(['keep 2']);
  });

  test('treats two files with different checksums as different, whatever their other keys', () => {
    const keys = ['file:1:1:1', 'sha1:a:1'];
    expect(haveCommonKey(keys, ['file:1:1:1', 'sha1:b:1'])).toBe(false);
    expect(haveCommonKey(keys, ['file:2:1:1', 'sha1:a:1'])).toBe(true);
    expect(haveCommonKey(keys, ['file:1:1:1'])).toBe(true);
  });

  test('leads from any state to any other without touching a foreign file', () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const some = () => {
      const all: Record<string, string> = {};
      for (const path of ['1', '2', '3', '4', '5']) {
        if (random(3) > 0) all[path] = contents[random(contents.length)] ?? 'a';
      }
      return all;
    };
    for (let round = 0; round < 3_000; round += 1) {
      const [tree, built] = [some(), some()];
      const foreign = Object.keys(some()).filter((path) => random(4) === 0 && !(path in built));
      const disk = new Map(Object.entries(built));
      for (const path of foreign) disk.set(path, 'foreign');
      for (const step of plan(tree, built, { foreign })) carryOut(step, disk);
      const expected = { ...tree, ...Object.fromEntries(foreign.map((path) => [path, 'foreign'])) };
      expect(Object.fromEntries(disk), JSON.stringify({ tree, built, foreign })).toEqual(expected);
    }
  });
});

/**
 * Carries out a step on a disk in memory. Throws if a file does not have the content that the step
 * expects.
 */
function carryOut(step: BuildStep, disk: Map<string, string>): void {
  if (step.do === 'conflict' || step.do === 'keep') return;
  if (step.do === 'remove') {
    expect(disk.get(step.before.path)).toBe(step.before.keys[0]);
    disk.delete(step.before.path);
    return;
  }
  if (step.do === 'forget') return;
  const { path, keys } = step.file;
  if (step.do === 'rename') {
    expect([disk.get(step.before.path), disk.get(path)]).toEqual([step.before.keys[0], undefined]);
    disk.delete(step.before.path);
  } else if (step.do === 'add') expect(disk.get(path)).toBeUndefined();
  else if (step.do === 'replace') expect(disk.get(path)).toBe(step.before.keys[0]);
  disk.set(path, keys[0] ?? '');
}
