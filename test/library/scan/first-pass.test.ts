import { describe, expect, test } from 'vitest';
import type { Disk, ScanStore } from '../../../src/core/library/ports.ts';
import { LibraryScanner } from '../../../src/core/library/scan/scanner.ts';
import { type LibraryFixture, realDisk, romOf, useLibrary } from '../library-fixture.ts';

const underWay = 16;

/** Scans the games root with a disk and a store whose methods can be replaced. */
function scanWith(
  library: LibraryFixture,
  parts: { disk?: Partial<Disk>; save?: ScanStore['save'] },
) {
  const { known, scanned, store, catalogue, list } = library.records;
  const save: ScanStore['save'] = parts.save ?? ((root, scans) => store.save(root, scans));
  const scanner = new LibraryScanner({
    disk: { ...realDisk, ...parts.disk },
    records: {
      known,
      scanned,
      catalogue,
      list,
      store: {
        save,
        saveHashes: (root, file) => store.saveHashes(root, file),
        saveMatches: (root, matches) => store.saveMatches(root, matches),
        move: (moves) => store.move(moves),
        handOver: (from, files) => store.handOver(from, files),
        removeRoot: (root) => store.removeRoot(root),
        forget: (ids) => store.forget(ids),
        markScanned: (root) => store.markScanned(root),
        markProblem: (root, problem) => store.markProblem(root, problem),
        markMatched: (root, version) => store.markMatched(root, version),
        markSetsMatched: (root, version) => store.markSetsMatched(root, version),
      },
    },
  });
  return scanner.scan({
    roots: [library.games],
    hash: false,
    full: false,
    forget: false,
    jobs: 1,
    retriesWhenBusy: false,
    signal: new AbortController().signal,
    onProgress() {},
  });
}

async function writeMany(library: LibraryFixture, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await library.write(`${i}.iso`);
}

describe('the first pass of a scan', () => {
  test('stores each file as soon as it is read, while another one is slow', async () => {
    const library = await useLibrary();
    await writeMany(library, 60);
    await library.write('0 slow.iso');
    const { identify } = realDisk;
    let resume = () => {};
    const held = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const scanning = scanWith(library, {
      disk: {
        async identify(path) {
          if (path.endsWith('slow.iso')) await held;
          return identify(path);
        },
      },
    });
    await expect.poll(() => library.items()).toHaveLength(60);
    resume();
    expect(await scanning).toMatchObject({ files: 61, looked: 61 });
  });

  test(`keeps at most ${underWay} opened files unsaved, and runs one save at a time`, async () => {
    const library = await useLibrary();
    await writeMany(library, 300);
    const { identify } = realDisk;
    const unsaved: number[] = [];
    const groups: number[] = [];
    let opened = 0;
    let saved = 0;
    let saving = 0;
    await scanWith(library, {
      disk: {
        identify(path) {
          opened += 1;
          unsaved.push(opened - saved);
          return identify(path);
        },
      },
      async save(root, scans) {
        saving += 1;
        expect(saving).toBe(1);
        await library.records.store.save(root, scans);
        groups.push(scans.length);
        saved += scans.length;
        saving -= 1;
      },
    });
    expect(saved).toBe(300);
    expect(Math.max(...unsaved)).toBe(underWay);
    expect(Math.max(...groups)).toBeGreaterThan(1);
  });

  test('ends the scan when a save fails, and keeps what was stored before', async () => {
    const library = await useLibrary();
    await writeMany(library, 100);
    let saved = 0;
    const scanning = scanWith(library, {
      async save(root, scans) {
        if (saved > 20) throw new Error('no more');
        await library.records.store.save(root, scans);
        saved += scans.length;
      },
    });
    await expect(scanning).rejects.toThrow('no more');
    expect(await library.items()).toHaveLength(saved);
    expect(await library.scan()).toMatchObject({ files: 100, looked: 100 - saved });
  });

  test('keeps hashes and matches that another scan stored meanwhile', async () => {
    const library = await useLibrary();
    await library.write('a.iso');
    await library.take([{ name: 'A', roms: [romOf('a.iso', 'r.iso')] }]);
    const { identify } = realDisk;
    await scanWith(library, {
      disk: {
        async identify(path) {
          await library.scan({ hash: true });
          return identify(path);
        },
      },
    });
    expect(await library.stored('a.iso', 'sha1')).toBe(romOf('a.iso', '').sha1);
    expect(await library.matchOf('a.iso')).toMatchObject({ release: 'A', method: 'sha1' });
  });
});
