import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Disk, ScanStore } from '../../../src/core/library/ports.ts';
import { retryingStore } from '../../../src/core/library/scan/retrying-store.ts';
import type { ScanOptions } from '../../../src/core/library/scan/scan-report.ts';
import { LibraryScanner } from '../../../src/core/library/scan/scanner.ts';
import { systemClock } from '../../../src/core/shared/clock.ts';
import { busy } from '../../../src/core/shared/errors.ts';
import type { Work } from '../../../src/sql/engine/engine.ts';
import type { WriteOptions } from '../../../src/sql/engine/write-options.ts';
import { sqlLibraryRecords } from '../../../src/sql/library/library-records.ts';
import { HeldEngine } from '../../imports/support/engine-fixture.ts';
import { makeCso } from '../../support/images/packed-images.ts';
import { type LibraryFixture, realDisk, romOf, useLibrary } from '../library-fixture.ts';

/** Acquires the write lock on another connection. Returns a function that releases it. */
function holdLock(library: LibraryFixture): () => void {
  const other = new Database(join(library.folder, 'data', 'catalog.db'));
  other.exec('begin immediate');
  const release = () => {
    if (other.open) other.close();
  };
  onTestFinished(release);
  return release;
}

/**
 * An engine that waits only briefly for a lock and reports each time that it does not get the lock.
 */
class ImpatientEngine extends HeldEngine {
  onBusy = () => {};

  override async write<R>(work: Work<R>, options?: WriteOptions): Promise<R> {
    try {
      return await super.write(work, { busyMs: 50, ...options });
    } catch (error) {
      if ((error as { kind?: unknown }).kind === 'busy') this.onBusy();
      throw error;
    }
  }
}

/**
 * Scans with hashes. Methods of the disk can be replaced. The engine waits only briefly for a lock.
 */
function scanWith(
  library: LibraryFixture,
  parts: Partial<Disk>,
  { onBusy = () => {}, ...options }: Partial<ScanOptions> & { onBusy?: () => void },
) {
  const disk = { ...realDisk, ...parts };
  const engine = new ImpatientEngine(library.sql);
  engine.onBusy = onBusy;
  const records = sqlLibraryRecords({ engine, clock: systemClock });
  const scanner = new LibraryScanner({ disk, records });
  return scanner.scan({
    roots: [library.games],
    hash: true,
    full: false,
    forget: false,
    jobs: 2,
    retriesWhenBusy: false,
    signal: new AbortController().signal,
    onProgress() {},
    ...options,
  });
}

const image = Buffer.alloc(50_000, 'disc');
const identityOf = async (library: LibraryFixture) =>
  JSON.parse(String(await library.stored('a.cso', 'identity')));

describe('a scan that hashes a file while another process holds the write lock', () => {
  /**
   * Opens a library. After a file was hashed, the database stays locked until `release` is called.
   */
  async function withLock() {
    const library = await useLibrary();
    await library.write('a.cso', makeCso(image));
    const lock = { release: () => {} };
    const disk: Partial<Disk> = {
      async hash(path, identity, options) {
        const hashes = await realDisk.hash(path, identity, options);
        lock.release = holdLock(library);
        return hashes;
      },
    };
    return { library, disk, release: () => lock.release() };
  }

  test('waits longer than the database does if it retries', async () => {
    const { library, disk, release } = await withLock();
    let tries = 0;
    const onBusy = () => {
      tries += 1;
      if (tries === 2) release();
    };
    const scanning = scanWith(library, disk, { retriesWhenBusy: true, onBusy });
    expect(await scanning).toMatchObject({ hashed: 1, unreadable: [], damaged: [] });
    expect(tries).toBe(2);
    expect(await library.stored('a.cso', 'sha1')).toBe(romOf(image, '').sha1);
  });

  test('ends as busy if it does not retry, and leaves the file to the next scan', async () => {
    const { library, disk, release } = await withLock();
    const scanning = scanWith(library, disk, {});
    await expect(scanning).rejects.toMatchObject({ kind: 'busy' });
    release();
    expect((await identityOf(library)).problem).toBeNull();
    expect(await library.scan({ hash: true })).toMatchObject({ hashed: 1, unreadable: [] });
  });
});

describe('a scan with errors', () => {
  test('ends as busy if the database is locked while it identifies a file', async () => {
    const library = await useLibrary();
    await library.write('a.iso');
    const scanning = scanWith(
      library,
      {
        identify(path) {
          holdLock(library);
          return realDisk.identify(path);
        },
      },
      {},
    );
    await expect(scanning).rejects.toMatchObject({ kind: 'busy' });
  });

  test.each<[keyof Disk, Partial<Disk>]>([
    ['identify', { identify: () => Promise.reject(new TypeError('a bug')) }],
    ['hash', { hash: () => Promise.reject(new TypeError('a bug')) }],
    [
      'walk',
      {
        // biome-ignore lint/correctness/useYield: this generator always throws
        async *walk() {
          throw new TypeError('a bug');
        },
      },
    ],
  ])('ends on a bug in %s, and does not record the file as damaged', async (_, disk) => {
    const library = await useLibrary();
    await library.write('a.cso', makeCso(image));
    await library.scan();
    await expect(scanWith(library, disk, { full: true })).rejects.toThrow(TypeError);
    expect((await identityOf(library)).problem).toBeNull();
  });

  test('records damage that is found only when a file is unpacked', async () => {
    const library = await useLibrary();
    const broken = makeCso(image, {}, (block, index) =>
      index === 24 ? Buffer.from('no deflate') : deflateRawSync(block),
    );
    await library.write('a.cso', broken);
    const { unreadable } = await library.scan({ hash: true });
    expect(unreadable).toMatchObject([{ reason: 'it is damaged: a block cannot be unpacked' }]);
    expect(await identityOf(library)).toMatchObject({ problem: unreadable[0]?.reason });
    expect(await library.scan({ hash: true })).toMatchObject({ hashed: 0, unreadable: [] });
  });
});

describe('retryingStore', () => {
  const { signal } = new AbortController();
  /** Returns a store that returns these results in order, and the list of its calls. */
  function storeOf(responses: (Error | null)[]) {
    const calls: string[] = [];
    const call = async (name: string) => {
      calls.push(name);
      const response = responses.shift();
      if (response) throw response;
    };
    const store: ScanStore = {
      save: () => call('save'),
      saveHashes: () => call('saveHashes'),
      saveMatches: () => call('saveMatches'),
      move: () => call('move'),
      handOver: () => call('handOver'),
      removeRoot: () => call('removeRoot'),
      forget: () => call('forget'),
      markScanned: () => call('markScanned'),
      markProblem: () => call('markProblem'),
      markMatched: () => call('markMatched'),
      markSetsMatched: () => call('markSettled'),
    };
    return { store, calls };
  }

  test('retries a write while the database is busy, and finally fails as busy', async () => {
    const { store, calls } = storeOf([busy(), busy(), null, null, busy(), busy(), busy(), null]);
    const retrying = retryingStore(store, signal, [1, 1]);
    await retrying.forget([1]);
    await retrying.move([]);
    await expect(retrying.forget([1])).rejects.toMatchObject({ kind: 'busy' });
    expect(calls).toEqual(['forget', 'forget', 'forget', 'move', 'forget', 'forget', 'forget']);
  });

  test('does not retry other errors, and stops waiting when its signal is aborted', async () => {
    const failure = new Error('another');
    const { store, calls } = storeOf([failure, busy()]);
    await expect(retryingStore(store, signal, [1]).forget([])).rejects.toBe(failure);
    const stop = new AbortController();
    const waiting = retryingStore(store, stop.signal, [60_000]).forget([]);
    await expect.poll(() => calls.length).toBe(2);
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    expect(calls).toHaveLength(2);
  });
});
