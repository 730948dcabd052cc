import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type Entry, openPromise } from 'yauzl';
import { writeZip } from '../../src/zip/write-zip.ts';
import { importGames } from '../support/data/dats.ts';
import { useSandbox } from '../support/process.ts';
import { actor, type CoversFixture, chunks, png, signal, useCatalog } from './covers-fixture.ts';

const webp = Buffer.from('RIFF....WEBPVP8 ');
const jpg = Buffer.from('\xff\xd8\xffjpg', 'latin1');
const options = { system: undefined, signal, onProgress: () => undefined };

/** Opens games 1 to 4 and a video. The second game has no cover. */
async function useCovers(order = [1, 3, 4, 5]): Promise<CoversFixture> {
  const fixture = await useCatalog(['Game 1', 'Game 2', 'Game "3" ü', 'Game 4']);
  await importGames(fixture, ['A Video'], 'Test - Video Discs', 'videos');
  const covers = new Map([
    [1, png('one')],
    [3, webp],
    [4, jpg],
    [5, png('video')],
  ]);
  for (const id of order) {
    const staged = await fixture.catalog.covers.stage(chunks(covers.get(id) ?? Buffer.from('')));
    await fixture.catalog.covers.put(id, staged, actor);
  }
  return fixture;
}

const hasUnzip = spawnSync('unzip', ['-v']).status === 0;

interface Member {
  readonly entry: Entry;
  readonly bytes: Buffer;
}

async function membersOf(path: string): Promise<Map<string, Member>> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  const members = new Map<string, Member>();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  zip.on('entry', (entry: Entry) => {
    zip
      .openReadStreamPromise(entry)
      .then(buffer)
      .then((bytes) => {
        members.set(entry.fileName, { entry, bytes });
        zip.readEntry();
      }, reject);
  });
  zip.on('end', resolve);
  zip.on('error', reject);
  zip.readEntry();
  await promise;
  zip.close();
  return members;
}

describe('the writer of cover bundles', () => {
  test('names the covers by release id, and adds a manifest', async () => {
    const { catalog, data } = await useCovers();
    const report = await catalog.coverBundler.write('all', options, actor);
    const path = join(data, 'covers', 'all.zip');
    expect(report).toEqual({
      file: 'all.zip',
      covers: 4,
      size: (await stat(path)).size,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const members = await membersOf(path);
    expect([...members.keys()]).toEqual(['manifest.json', '1.png', '3.webp', '4.jpg', '5.png']);
    for (const { entry, bytes } of members.values()) {
      expect(entry.compressionMethod).toBe(0);
      expect(crc32(bytes)).toBe(entry.crc32);
    }
    expect(members.get('1.png')?.bytes).toEqual(png('one'));
    expect(members.get('3.webp')?.bytes).toEqual(webp);
    expect(JSON.parse(String(members.get('manifest.json')?.bytes))).toEqual([
      { id: 1, system: 'games', name: 'Game 1', file: '1.png' },
      { id: 3, system: 'games', name: 'Game "3" ü', file: '3.webp' },
      { id: 4, system: 'games', name: 'Game 4', file: '4.jpg' },
      { id: 5, system: 'videos', name: 'A Video', file: '5.png' },
    ]);
    expect(await readdir(join(data, 'tmp'))).toEqual([]);
  });

  test.skipIf(!hasUnzip)(
    `writes a zip without errors according to unzip ${hasUnzip ? '' : 'skipped: needs unzip'}`,
    async () => {
      const { catalog, data } = await useCovers();
      await catalog.coverBundler.write('all', options, actor);
      const { stdout } = spawnSync('unzip', ['-t', join(data, 'covers', 'all.zip')]);
      expect(String(stdout)).toContain('No errors detected');
    },
  );

  test('writes the same bytes for the same covers, whatever their times and order', async () => {
    const [one, two] = [await useCovers(), await useCovers([5, 4, 3, 1])];
    await utimes(join(two.data, 'covers', '1.png'), 1_000_000_000, 1_000_000_000);
    const bundles = await Promise.all([
      one.catalog.coverBundler.write('a', options, actor),
      two.catalog.coverBundler.write('b', options, actor),
      one.catalog.coverBundler.write('c', options, actor),
    ]);
    expect(new Set(bundles.map((bundle) => bundle.sha256)).size).toBe(1);
    const bytes = await readFile(join(one.data, 'covers', 'a.zip'));
    expect(bytes.equals(await readFile(join(two.data, 'covers', 'b.zip')))).toBe(true);
    await one.upload('Game 1', png('another'));
    const other = await one.catalog.coverBundler.write('a', options, actor);
    expect(other.sha256).not.toBe(bundles[0]?.sha256);
  });

  test('writes only the covers of the given system, the same bytes in any time zone', async () => {
    const { data, close } = await useCovers();
    await close();
    const sandbox = await useSandbox(data);
    const files: Buffer[] = [];
    for (const TZ of ['America/New_York', 'Asia/Tokyo']) {
      const args = ['covers', 'bundle', 'My_games-1.0', '--system', 'games'];
      const { code, stdout } = await sandbox.run(args, { env: { TZ } });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^wrote My_games-1\.0\.zip: 3 covers, \d+ bytes\n$/);
      files.push(await readFile(join(data, 'covers', 'My_games-1.0.zip')));
    }
    expect(files[0]?.equals(files[1] ?? Buffer.from(''))).toBe(true);
  });

  test('refuses a name that is empty, hidden, too long or has forbidden characters', async () => {
    const { catalog } = await useCatalog([]);
    const hidden = ['.', '..', '.zip', '.hidden', '..zip'];
    for (const name of ['', 'a b', '../x', 'a/b', 'ü', 'a\n', 'x'.repeat(252), ...hidden]) {
      await expect(catalog.coverBundler.write(name, options, actor)).rejects.toThrow('is no name');
    }
  });

  test.each(['all.ZIP'])('names the bundle all.zip for %s', bundlesAll);
  test.each(['all', 'all.zip'])('names the bundle all.zip for %s', { tags: ['full'] }, bundlesAll);

  async function bundlesAll(name: string): Promise<void> {
    const { data, close } = await useCovers();
    await close();
    const sandbox = await useSandbox(data);
    const { stdout } = await sandbox.run(['covers', 'bundle', name]);
    expect(stdout).toMatch(/^wrote all\.zip: 4 covers, /);
    const folder = await readdir(join(data, 'covers'));
    expect(folder.filter((file) => /zip/i.test(file))).toEqual(['all.zip']);
    const { code, stderr } = await sandbox.run(['covers', 'bundle', '..']);
    expect(stderr).toMatch(/^catalog: "\.\." is no name for a bundle: .+\n$/);
    expect(code).toBe(2);
  }

  test('keeps the old bundle and leaves no file if a new one fails or is stopped', async () => {
    const { catalog, data } = await useCovers();
    const folder = join(data, 'covers');
    await catalog.coverBundler.write('all', options, actor);
    const before = await readFile(join(folder, 'all.zip'));
    const stop = new AbortController();
    const stopped = catalog.coverBundler.write(
      'all',
      { ...options, signal: stop.signal, onProgress: () => stop.abort(new Error('enough')) },
      actor,
    );
    await expect(stopped).rejects.toThrow('enough');
    const onProgress = () => rmSync(join(folder, '5.png'), { force: true });
    const lost = catalog.coverBundler.write('all', { ...options, onProgress }, actor);
    await expect(lost).rejects.toThrow('5.png went away while the bundle was written');
    expect(before.equals(await readFile(join(folder, 'all.zip')))).toBe(true);
    expect(await readdir(join(data, 'tmp'))).toEqual([]);
  });

  test('fails when a member cannot be read', async () => {
    const open = async () => {
      throw new Error('it is gone');
    };
    await expect(buffer(writeZip([{ name: 'x', open }]))).rejects.toThrow('it is gone');
    const broken = async function* () {
      yield png();
      throw new Error('it broke');
    };
    const member = { name: 'x', open: async () => broken() };
    await expect(buffer(writeZip([member, member]))).rejects.toThrow('it broke');
  });
});
