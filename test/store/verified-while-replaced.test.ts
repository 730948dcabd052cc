import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock as clock } from '../../src/core/shared/clock.ts';
import type { FileArea, OpenedFile } from '../../src/core/shared/files/file-area.ts';
import type { StoredRecord, VerifyRecords } from '../../src/core/verify/ports.ts';
import type { Finding } from '../../src/core/verify/verification.ts';
import { verifyFiles } from '../../src/core/verify/verify-files.ts';
import { VerifyRun } from '../../src/core/verify/verify-run.ts';
import { localArea } from '../../src/files/local/local-area.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Creates a file in an area, and its record. */
async function useFile() {
  const data = await mkdtemp(join(tmpdir(), 'catalog-verified-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const folder = join(data, 'store');
  await mkdir(folder);
  const path = join(folder, 'a.iso');
  const put = async (text: string): Promise<StoredRecord> => {
    await writeFile(join(data, 'new'), text);
    await rename(join(data, 'new'), path);
    const { size, mtimeNs } = await stat(path, { bigint: true });
    return { name: 'a.iso', size: Number(size), mtimeNs, sha256: sha256(text) };
  };
  const first = await put('one');
  // Like most files, the file has an old modification time.
  await utimes(path, 1_000_000_000, 1_000_000_000);
  const row = { ...first, mtimeNs: 1_000_000_000n * 1_000_000_000n };
  return { area: localArea({ folder, tmp: join(data, 'tmp') }), path, put, row };
}

/**
 * Verifies the file and returns the findings. Calls `beforeRead` between the stat of the file and
 * the read of its first byte.
 */
async function findings(
  { area, row }: Awaited<ReturnType<typeof useFile>>,
  recordOf: () => StoredRecord,
  beforeRead: () => Promise<unknown>,
): Promise<Finding[]> {
  const records = {
    recorded: async () => [row],
    recordOf: async () => recordOf(),
    savePosition: async () => {},
  } satisfies Partial<VerifyRecords>;
  const watched = Object.assign(Object.create(area), {
    async open(name: string) {
      await beforeRead();
      return area.open(name);
    },
  });
  const parts = ['games'] as const;
  const options = { parts, signal: new AbortController().signal, onProgress: () => {} };
  const found: Finding[] = [];
  const position = { part: 'games', after: '', files: 0, bytes: 0 } as const;
  const run = new VerifyRun({ records, position, options, clock });
  run.addFinding = (finding) => found.push(finding);
  await verifyFiles(run, {
    part: 'games',
    area: watched,
    records: records as unknown as VerifyRecords,
    parallel: 1,
    throttle: null,
    options,
  });
  return found;
}

describe('the verification of stored files', () => {
  test('reports no difference for a replaced file that is recorded a moment later', async () => {
    const file = await useFile();
    let recorded = file.row;
    let recordedLater = file.row;
    let isReplaced = false;
    const replace = async () => {
      if (isReplaced) return;
      isReplaced = true;
      const row = await file.put('two');
      recordedLater = row;
    };
    // The record is updated after the file: the second query returns the new row.
    const recordOf = () => {
      const now = recorded;
      recorded = recordedLater;
      return now;
    };
    expect(await findings(file, recordOf, replace)).toEqual([]);
  });

  test('reports a difference for a file that is replaced and never recorded', async () => {
    const file = await useFile();
    const found = await findings(
      file,
      () => file.row,
      () => file.put('two'),
    );
    expect(found).toMatchObject([{ path: 'store/games/a.iso', kind: 'changed' }]);
  });

  test.each([0, 1, 256 * 1024, 1_000_003])('finds a changed byte among %i bytes', async (size) => {
    const file = await useFile();
    const bytes = randomBytes(size).toString('base64').slice(0, size);
    const row = await file.put(bytes);
    const find = () =>
      findings(
        { ...file, row },
        () => row,
        async () => undefined,
      );
    expect(await find()).toEqual([]);
    for (const at of new Set([0, Math.floor(size / 2), size - 1])) {
      if (size === 0) break;
      const changed = Buffer.from(bytes);
      changed.writeUInt8((changed.readUInt8(at) + 1) % 128, at);
      await writeFile(file.path, changed);
      await utimes(file.path, 1_000_000_000, 1_000_000_000);
      expect(await find()).toMatchObject([{ kind: 'changed' }]);
    }
  });

  test('reports a file as changed that becomes shorter while it is read', async () => {
    const file = await useFile();
    const row = await file.put('a'.repeat(1_000_000));
    const area = Object.assign(Object.create(file.area), {
      async open(name: string) {
        const opened = await file.area.open(name);
        await truncate(file.path, 300_000);
        return opened;
      },
    });
    const found = await findings(
      { ...file, area, row },
      () => row,
      async () => undefined,
    );
    expect(found).toMatchObject([{ path: 'store/games/a.iso', kind: 'changed' }]);
  });

  /** Verifies an area of which nothing is recorded yet. Adds the findings to `found`. */
  function verifyUnrecorded(
    area: FileArea,
    found: Finding[],
    recordOf: () => Promise<StoredRecord | null>,
    signal = new AbortController().signal,
  ): Promise<void> {
    return verifyRows(area, found, recordOf, { rows: [], parallel: 1, signal });
  }

  /** Verifies an area of which these rows are recorded. Adds the findings to `found`. */
  function verifyRows(
    area: FileArea,
    found: Finding[],
    recordOf: VerifyRecords['recordOf'],
    more: { rows: StoredRecord[]; parallel: number; signal?: AbortSignal },
  ): Promise<void> {
    const { rows, parallel, signal = new AbortController().signal } = more;
    const records = { recorded: async () => rows, recordOf, savePosition: async () => {} };
    const options = { parts: ['games'], signal, onProgress: () => {} } as const;
    const position = { part: 'games', after: '', files: 0, bytes: 0 } as const;
    const run = new VerifyRun({ records, position, options, clock });
    run.addFinding = (finding) => found.push(finding);
    return verifyFiles(run, {
      part: 'games',
      area,
      records: records as unknown as VerifyRecords,
      parallel,
      throttle: null,
      options,
    });
  }

  test('reports no manually added file if it is aborted while it looks for them', async () => {
    const { area } = await useFile();
    const controller = new AbortController();
    const watched = Object.assign(Object.create(area), {
      async *names() {
        yield 'a.iso';
        controller.abort(new Error('aborted'));
        yield 'a.iso';
      },
    });
    const found: Finding[] = [];
    const verified = verifyUnrecorded(watched, found, async () => null, controller.signal);
    await expect(verified).rejects.toThrow('aborted');
    expect(found).toEqual([]);
  });

  test('reports no manually added file if a new file is recorded a moment later', async () => {
    const { area, put } = await useFile();
    const row = await put('new');
    let calls = 0;
    const recordOf = async () => {
      calls += 1;
      return calls > 4 ? row : null;
    };
    const found: Finding[] = [];
    await verifyUnrecorded(area, found, recordOf);
    expect(found).toEqual([]);
    await verifyUnrecorded(area, found, async () => null);
    expect(found).toMatchObject([{ path: 'store/games/a.iso', kind: 'extra' }]);
  });

  test.each([
    ['waits for the record of a file whose time is a little ahead of the clock', 30_000, 22],
    ['does not wait for the record of a file whose time is far in the future', 3_600_000, 2],
  ])('%s', async (_, aheadMs, expected) => {
    const { area, path, put } = await useFile();
    await put('new');
    const time = (Date.now() + aheadMs) / 1_000;
    await utimes(path, time, time);
    let calls = 0;
    const recordOf = async () => {
      calls += 1;
      return null;
    };
    const found: Finding[] = [];
    await verifyUnrecorded(area, found, recordOf);
    expect(found).toMatchObject([{ path: 'store/games/a.iso', kind: 'extra' }]);
    expect(calls).toBe(expected);
  });

  test('reads at most the given number of files at a time, without mixing them up', async () => {
    const { area, put } = await useFile();
    const row = await put(randomBytes(500_000).toString('base64'));
    const rows = Array.from({ length: 12 }, (_, number) => ({ ...row, name: `${number}.iso` }));
    let [reading, maxReading] = [0, 0];
    const watched = Object.assign(Object.create(area), {
      find: (name: string) => area.find('a.iso').then((file) => file && { ...file, name }),
      async open() {
        const file = (await area.open('a.iso')) as OpenedFile;
        return Object.assign(Object.create(file), {
          size: file.size,
          async read(buffer: Uint8Array, position: number) {
            reading += 1;
            maxReading = Math.max(maxReading, reading);
            await setTimeout(1);
            const count = await file.read(buffer, position);
            reading -= 1;
            return count;
          },
        });
      },
    });
    const found: Finding[] = [];
    const recordOf = async (_: string, name: string) => ({ ...row, name });
    await verifyRows(watched, found, recordOf, { rows, parallel: 2 });
    expect(found).toEqual([]);
    expect(maxReading).toBe(2);
  });
});
