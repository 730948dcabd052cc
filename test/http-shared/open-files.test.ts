import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OpenFiles, type PlayedFile } from '../../src/http/play/open-files.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns a file that records when it is closed. */
function createFile() {
  const closed: number[] = [];
  const close = async () => void closed.push(performance.now());
  const file = { name: 'x', size: 1, mtimeNs: 0n, etag: '', close };
  const entry = { name: 'x', isFolder: false, size: 1, mtimeMs: 0, etag: '', type: '' };
  // safe: the cache uses nothing else of an open file
  const opened = { file, type: '', library: null } as unknown as PlayedFile['opened'];
  return { played: { opened, entry }, closed };
}

describe('the cache of open files', () => {
  test('shares an open file for five seconds, and then closes it', async () => {
    const files = new OpenFiles();
    const { played, closed } = createFile();
    await files.add('one', played).release();
    expect(files.use('two')).toBeNull();
    const again = files.use('one');
    expect(again?.opened).toBe(played.opened);
    await again?.release();
    await vi.advanceTimersByTimeAsync(4_900);
    expect([closed.length, files.use('one')?.release() !== undefined]).toEqual([0, true]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([closed.length, files.use('one')]).toEqual([1, null]);
  });

  test('closes a file in use only after its last release, and only once', async () => {
    const files = new OpenFiles();
    const { played, closed } = createFile();
    const first = files.add('one', played);
    const second = files.use('one');
    await vi.advanceTimersByTimeAsync(20_000);
    expect([closed.length, files.use('one')]).toEqual([0, null]);
    await first.release();
    await first.release();
    expect(closed.length).toBe(0);
    await second?.release();
    expect(closed.length).toBe(1);
  });

  test('keeps at most 64 files open, and closes all of them when it is closed itself', async () => {
    const files = new OpenFiles();
    const all = Array.from({ length: 70 }, createFile);
    for (const [at, { played }] of all.entries()) await files.add(`${at}`, played).release();
    expect(all.filter(({ closed }) => closed.length > 0)).toHaveLength(6);
    files.close();
    expect(all.filter(({ closed }) => closed.length === 1)).toHaveLength(70);
  });
});
