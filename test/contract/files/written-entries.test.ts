import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BackupRun } from '../../../src/core/backups/backup-run.ts';
import { WrittenEntries } from '../../../src/core/backups/written-entries.ts';
import { systemClock } from '../../../src/core/shared/clock.ts';
import { localArea } from '../../../src/files/local/local-area.ts';
import { store } from '../suites/file-area.ts';

/**
 * Backs up a file `a` with the bytes `old`. Calls `duringBackup` while the bytes are read for the
 * first time.
 */
async function backUp(duringBackup: (path: string) => unknown) {
  const data = fs.mkdtempSync(join(tmpdir(), 'catalog-entries-'));
  onTestFinished(() => fs.rmSync(data, { recursive: true }));
  const folder = join(data, 'games');
  const area = localArea({ folder, tmp: join(data, 'tmp') });
  await store(area, 'a', 'old');
  const written: string[] = [];
  const add = async (_file: unknown, bytes: AsyncIterable<Uint8Array>) => {
    const all = await buffer(Readable.from(bytes));
    if (written.push(all.toString()) === 1) await duringBackup(join(folder, 'a'));
    return '';
  };
  const writer = { add, finish: async () => 0, close: async () => {} };
  const watch = { signal: new AbortController().signal, onProgress() {} };
  const entries = new WrittenEntries(writer, watch);
  await entries.add('store/games/a', area, 'a');
  return { written, entries: entries.list() };
}

describe('a backup of files', () => {
  test('reads a file again if bytes are appended while it is read', async () => {
    const { written, entries } = await backUp((path) => fs.appendFileSync(path, ' and new'));
    expect(written).toEqual(['old', 'old and new']);
    expect(entries.map(({ isSuperseded = false }) => isSuperseded)).toEqual([true, false]);
  });

  test('backs up a replaced file as it was when opened', async () => {
    const { written } = await backUp((path) => {
      fs.writeFileSync(`${path} new`, 'new');
      fs.renameSync(`${path} new`, path);
    });
    expect(written).toEqual(['old']);
  });

  test('backs up a cover that changes its type while the folder is listed', async () => {
    const data = fs.mkdtempSync(join(tmpdir(), 'catalog-entries-'));
    onTestFinished(() => fs.rmSync(data, { recursive: true }));
    const folder = join(data, 'covers');
    const real = localArea({ folder, tmp: join(data, 'tmp') });
    await store(real, '1.png', 'old');
    await store(real, '2.png', 'other');
    let isFixed = false;
    const covers: typeof real = {
      ...real,
      async *list() {
        for await (const file of real.list()) {
          // Simulate a listing that passes the position of the new name before the rename. The
          // listing returns neither name.
          if (isFixed && file.name === '1.png') {
            fs.renameSync(join(folder, '1.png'), join(folder, '1.webp'));
            continue;
          }
          yield file;
        }
      },
    };
    const copy = {
      ...{ name: 'catalog.db', size: 0, version: 1 },
      async *files() {},
      async *stream() {},
      async remove() {},
    };
    const run = new BackupRun({
      writer: {
        async add(_file, bytes) {
          for await (const _ of bytes);
          return '';
        },
        finish: async () => 0,
        close: async () => {},
      },
      areas: { covers, games: covers, videos: covers },
      parts: ['covers'],
      async copyDatabase(duringCopy) {
        isFixed = true;
        await duringCopy();
        return copy;
      },
      clock: systemClock,
      watch: { signal: new AbortController().signal, onProgress() {} },
    });
    expect(await run.write()).toMatchObject({ covers: 2 });
  });
});
