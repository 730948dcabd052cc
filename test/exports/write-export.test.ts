import { pbkdf2 } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExportRelease } from '../../src/core/exports/plan/export-release.ts';
import { fill } from '../../src/files/exports/write-export.ts';
import { exportZip } from '../../src/zip/write-zip.ts';
import { exportRelease, openedSet } from '../support/exports/releases.ts';
import { readZip } from '../support/exports/zip.ts';
import { exported, exportsOf } from './exported.ts';

const psx = 'Sony - PlayStation';
const games = ['A', 'B', 'Saga (Disc 1)', 'Saga (Disc 2)'].map((name) => exportRelease(name));
const platforms = { [psx]: games };
const request = { set: openedSet(platforms), profile: 'batocera', romsPath: '' };
const { signal } = new AbortController();
const pbkdf2Async = promisify(pbkdf2);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-export-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the writer of an export', () => {
  test('writes the same files to a zip and to a folder', async () => {
    const exports = await exportsOf(platforms, games);
    const expected = await exported('batocera', platforms, { covered: games });
    const out = join(folder, 'out.zip');
    expect(await exports.write(request, out, signal)).toBe(expected.size);
    const zip = await readZip(await readFile(out));
    expect([...zip].map(([path, { content }]) => [path, `${content}`])).toEqual([...expected]);
    const isText = (path: string) => /\.(xml|m3u|json)$/.test(path);
    for (const [path, { isCompressed }] of zip) expect(isCompressed).toBe(isText(path));
    const tree = join(folder, 'new', 'tree');
    expect(await exports.write(request, tree, signal)).toBe(expected.size);
    for (const [path, text] of expected)
      expect(await readFile(join(tree, path), 'utf8')).toBe(text);
  });

  test('writes the same bytes for the same set', async () => {
    const bytes = async () => {
      const { name, bytes } = (await exportsOf(platforms, games)).zip(request);
      return [name, (await buffer(bytes)).toString('base64')];
    };
    const [name, first] = await bytes();
    expect(name).toBe('My set (batocera).zip');
    expect((await bytes())[1]).toBe(first);
  });

  test('refuses a folder that is not empty', async () => {
    const used = await mkdtemp(join(folder, 'used-'));
    await writeFile(join(used, 'mine.txt'), 'mine');
    const exports = await exportsOf(platforms);
    await expect(exports.write(request, used, signal)).rejects.toThrow(/is not empty: choose/);
    expect(await readdir(used)).toEqual(['mine.txt']);
  });

  test('refuses to replace an existing zip', async () => {
    const out = join(folder, 'taken.zip');
    await writeFile(out, 'mine');
    const exports = await exportsOf(platforms);
    await expect(exports.write(request, out, signal)).rejects.toThrow(
      /taken.zip exists already: give another name for the export/,
    );
    expect(await readFile(out, 'utf8')).toBe('mine');
  });

  const failing = {
    ...request.set,
    countMissing: () => Promise.reject(new Error('the database is gone')),
  };

  test('leaves an empty folder when it fails, and succeeds in this folder afterwards', async () => {
    const out = await mkdtemp(join(folder, 'failed-'));
    const exports = await exportsOf(platforms, games);
    await expect(exports.write({ ...request, set: failing }, out, signal)).rejects.toThrow(
      /is gone/,
    );
    expect(await readdir(out)).toEqual([]);
    expect(await exports.write(request, out, signal)).toBeGreaterThan(0);
  });

  test('leaves no zip behind when it fails or is stopped', async () => {
    const place = await mkdtemp(join(folder, 'failed-'));
    const exports = await exportsOf(platforms, games);
    const out = join(place, 'a.zip');
    await expect(exports.write({ ...request, set: failing }, out, signal)).rejects.toThrow(
      /is gone/,
    );
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(exports.write(request, out, stopped)).rejects.toThrow('stopped');
    expect(await readdir(place)).toEqual([]);
  });

  test('does not reject before the file is closed, even if opening it takes long', async () => {
    // File operations wait for these calls: Node runs at most four operations at a time.
    const calls = Array.from({ length: 4 }, () => pbkdf2Async('', '', 100_000, 32, 'sha512'));
    const target = createWriteStream(join(folder, 'late.zip'));
    async function* failing() {
      yield* [];
      throw new Error('is gone');
    }
    await expect(fill(target, failing(), signal)).rejects.toThrow('is gone');
    expect(target.closed).toBe(true);
    await Promise.all(calls);
  });

  /** Returns a set whose releases are made while they are read, and exports that know them. */
  async function generated(count: number, onEnd: () => void = () => undefined) {
    const batch = new Map<number, ExportRelease>();
    const set = {
      name: 'Large',
      platforms: async () => [psx],
      async *releases() {
        try {
          for (let at = 0; at < count; at += 500) {
            batch.clear();
            for (let i = at; i < at + 500; i += 1) {
              const name = `Game ${String(i).padStart(9, '0')}`;
              const release = exportRelease(name, { synopsis: `${i} `.repeat(100) });
              batch.set(release.id, release);
            }
            yield [...batch.values()];
          }
        } finally {
          onEnd();
        }
      },
      countMissing: async () => 0,
    };
    return { exports: await exportsOf({}, 'all', batch), set };
  }

  test('stops reading releases when the client of a zip disconnects', async () => {
    let isEnded = false;
    const { exports, set } = await generated(Number.POSITIVE_INFINITY, () => {
      isEnded = true;
    });
    for await (const _ of exports.zip({ ...request, set }).bytes) break;
    await expect.poll(() => isEnded).toBe(true);
  });

  test('fails with the error of a member that cannot be read', async () => {
    async function* broken() {
      yield 'text';
      throw new Error('the cover is gone');
    }
    async function* members() {
      yield { path: 'a.txt', isText: true, content: broken() };
    }
    await expect(buffer(Readable.from(exportZip(members())))).rejects.toThrow('the cover is gone');
  });

  test('writes a hundred thousand games with pictures in bounded memory', {
    tags: ['full'],
  }, async () => {
    const { exports, set } = await generated(100_000);
    const out = join(folder, 'large.zip');
    let highest = 0;
    async function* watched() {
      for await (const batch of set.releases()) {
        highest = Math.max(highest, process.memoryUsage().heapUsed);
        yield batch;
      }
    }
    const before = process.memoryUsage().heapUsed;
    await exports.write({ ...request, set: { ...set, releases: watched } }, out, signal);
    // The texts alone have 70 MB.
    expect(highest - before).toBeLessThan(200 * 2 ** 20);
    const zip = await readZip(await readFile(out));
    expect(zip.size).toBe(100_002);
    const list = zip.get('psx/gamelist.xml')?.content;
    expect(list?.toString().split('<game>')).toHaveLength(100_001);
  });
});
