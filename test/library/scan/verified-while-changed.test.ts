import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../../src/core/library/ports.ts';
import { RecordedImages } from '../../../src/core/library/recorded-images.ts';
import { oneHost } from '../../../src/core/library/root-hosts.ts';
import { systemClock as clock } from '../../../src/core/shared/clock.ts';
import { verifyLibrary } from '../../../src/core/verify/verify-library.ts';
import { VerifyRun } from '../../../src/core/verify/verify-run.ts';
import { type LibraryFixture, realDisk, touch, useLibrary } from '../library-fixture.ts';

/**
 * Returns the findings below the games root. Calls `afterWalk` between the walk and the first read.
 */
async function findings(
  library: LibraryFixture,
  afterWalk: () => Promise<unknown>,
): Promise<string[]> {
  const found: string[] = [];
  await verify(library, { afterWalk, found });
  return found;
}

/**
 * Verifies the library. Calls `onFind` before each later access to a file. Errors of `onFind` are
 * thrown.
 */
async function verify(
  library: LibraryFixture,
  {
    afterWalk,
    onFind = () => {},
    found,
  }: { afterWalk: () => Promise<unknown>; onFind?: () => void; found: string[] },
): Promise<void> {
  const disk: Disk = {
    ...realDisk,
    async *walk(root, onUnreadable) {
      yield* realDisk.walk(root, onUnreadable);
      if (root === library.games.path) await afterWalk();
    },
    async find(root, path) {
      onFind();
      return realDisk.find(root, path);
    },
  };
  const { scanned } = library.records;
  const options = {
    parts: ['library'],
    signal: new AbortController().signal,
    onProgress() {},
  } as const;
  const position = { part: 'library', after: '', files: 0, bytes: 0 } as const;
  const run = new VerifyRun({
    records: { savePosition: async () => {} },
    position,
    options,
    clock,
  });
  run.addFinding = ({ path, kind, reason }) =>
    found.push(`${path.slice(library.games.path.length + 1)}: ${kind}: ${reason}`);
  await verifyLibrary(run, new RecordedImages({ disk, scanned, hosts: oneHost }), options);
}

/**
 * Returns a library with three hashed files. Like most files, they have an old modification time.
 */
async function useHashed() {
  const library = await useLibrary();
  const put = async (name: string, content: string) => {
    await library.write('.new', content);
    await rename(join(library.games.path, '.new'), join(library.games.path, name));
  };
  for (const name of ['a.iso', 'b.iso', 'c.iso']) {
    await touch(await library.write(name, `${name} 1`), 1_000_000_000);
  }
  const scan = () => library.scan({ hash: true, forget: true });
  await scan();
  return { library, put, scan, pathOf: (name: string) => join(library.games.path, name) };
}

describe('the verification of library files', () => {
  test('distinguishes a file replaced after the walk from one that the disk changed', async () => {
    const { library, put, pathOf } = await useHashed();
    const found = await findings(library, async () => {
      await put('b.iso', 'b.iso 2');
      await library.write('c.iso', 'c.iso 2');
      await touch(pathOf('c.iso'), 1_000_000_000); // like a failing disk
    });
    expect(found).toEqual([
      'b.iso: changed: its content is not that of the scan and its time: it was replaced',
      'c.iso: changed: its content is not that of the scan at the same time: a disk changed it',
    ]);
  });

  test('reports a file that is removed after the walk as missing', async () => {
    const { library, pathOf } = await useHashed();
    const found = await findings(library, () => rm(pathOf('b.iso')));
    expect(found).toEqual(['b.iso: missing: it was scanned and is not there']);
  });

  describe('a change that is scanned before it is compared', () => {
    test.each<[string, (at: Awaited<ReturnType<typeof useHashed>>) => Promise<unknown>]>([
      ['another file of the same size', ({ put }) => put('b.iso', 'b.iso 2')],
      ['another file of another size', ({ put }) => put('b.iso', 'b.iso, the second')],
      ['a new file', ({ put }) => put('bb.iso', 'bb.iso')],
      ['a moved file', ({ pathOf }) => rename(pathOf('b.iso'), pathOf('d.iso'))],
      ['a removed file', ({ pathOf }) => rm(pathOf('b.iso'))],
    ])('is not reported: %s', async (_, change) => {
      const at = await useHashed();
      const found = await findings(at.library, async () => {
        await change(at);
        await at.scan();
      });
      expect(found).toEqual([]);
    });
  });

  test('does not report an unscanned file that is removed after the walk', async () => {
    const { library, put, pathOf } = await useHashed();
    await put('bb.iso', 'bb.iso');
    expect(await findings(library, () => rm(pathOf('bb.iso')))).toEqual([]);
  });

  test('reports no unscanned files if it is stopped among them, but in the next run', async () => {
    const { library, put } = await useHashed();
    await put('bb.iso', 'bb.iso');
    await put('cc.iso', 'cc.iso');
    const found: string[] = [];
    let finds = 0;
    const onFind = () => {
      finds += 1;
      if (finds === 2) throw new Error('stopped');
    };
    const stopped = verify(library, { afterWalk: async () => {}, onFind, found });
    await expect(stopped).rejects.toThrow('stopped');
    expect(found).toEqual([]);
    expect(await findings(library, async () => {})).toHaveLength(2);
  });

  test('reports a file whose folder was replaced by a link as missing', async () => {
    const { library, scan } = await useHashed();
    const path = join(library.games.path, 'folder');
    await library.write('folder/d.iso');
    await scan();
    await rename(path, join(library.folder, 'elsewhere'));
    await symlink(join(library.folder, 'elsewhere'), path);
    const found = await findings(library, async () => {});
    expect(found).toEqual(['folder/d.iso: missing: it was scanned and is not there']);
  });
});
