import { createHash } from 'node:crypto';
import { readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CatalogError } from '../../src/core/shared/errors.ts';
import { withClient } from '../../src/core/shared/requests/client-context.ts';
import { type BuildLibrary, filesIn, useBuildLibrary } from '../builds/build-library.ts';
import { romOf } from '../library/library-fixture.ts';
import { plainPicture } from '../support/images/pictures.ts';
import { bytesIn, entriesOf } from './tree-files.ts';

const ant = 'gb/Ant (USA).gb';
const list = 'gb/gamelist.xml';

let library: BuildLibrary;
beforeEach(async () => {
  library = await useBuildLibrary({ 'Ant (USA)': 'ant', 'Bee (USA)': 'bee' });
});

const open = (profile = 'batocera', set = 'All') =>
  library.catalog.deviceTrees.open({ set, profile }, 'everybody');

const antFile = () =>
  join(library.games.path, `${createHash('sha1').update('ant').digest('hex')}.gb`);

async function setCover(releaseName: string, bytes: Buffer): Promise<void> {
  const { covers, releases } = library.catalog;
  for await (const batch of releases.openSet('', await selected()).releases(platform)) {
    for (const { id, name } of batch as { id: number; name: string }[]) {
      if (name !== releaseName) continue;
      const staged = await covers.stage(
        (async function* () {
          yield bytes;
        })(),
      );
      await covers.put(id, staged, { kind: 'system' });
      // The emptied catalogue of the next test would still list the cover.
      onTestFinished(() => covers.remove(id, { kind: 'system' }));
    }
  }
}

const platform = 'Nintendo - Game Boy';
const selected = () => library.catalog.sets.select('All', 'everybody');

/** Adds a disc on two tracks, whose sheet the tree rewrites. */
async function addDisc(): Promise<void> {
  const cue = (one: string, two: string) =>
    `FILE "${one}" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n` +
    `FILE "${two}" BINARY\n  TRACK 02 AUDIO\n    INDEX 01 00:00:00\n`;
  const [one, two] = ['1'.repeat(2352 * 4), '2'.repeat(2352 * 4)] as const;
  await library.write('x/disc.cue', cue('data.bin', 'audio.bin'));
  await library.write('x/data.bin', one);
  await library.write('x/audio.bin', two);
  const names = ['Game (USA) (Track 1).bin', 'Game (USA) (Track 2).bin'] as const;
  const roms = [romOf(cue(...names), 'Game (USA).cue'), romOf(one, names[0]), romOf(two, names[1])];
  await library.take([{ name: 'Game (USA)', roms }], 'Sony - PlayStation', 'discs');
  await library.scan({ hash: true });
}

describe('a device tree', () => {
  test('has the same files as a build, byte for byte, with their sizes', async () => {
    await addDisc();
    await setCover('Ant (USA)', await plainPicture({ width: 1_000, height: 900 }, 'jpeg'));
    for (const profile of ['batocera', 'es-de', 'retroarch', 'pegasus', 'minui']) {
      const to = join(library.place, profile);
      const report = await library.build(to, { profile });
      expect(report.problems).toEqual([]);
      const tree = await open(profile);
      const files = await bytesIn(tree);
      expect(Object.keys(files).length).toBeGreaterThan(4);
      expect(Object.keys(files).sort()).toEqual(Object.keys(await filesIn(to)).sort());
      const entries = await entriesOf(tree);
      for (const [path, bytes] of Object.entries(files)) {
        expect(bytes.equals(await readFile(join(to, path))), path).toBe(true);
        const { file, type } = await tree.open(path.split('/'));
        const { size, etag, mtimeMs } =
          file.size === bytes.length
            ? { ...file, mtimeMs: Number(file.mtimeNs / 1_000_000n) }
            : { size: -1, etag: '', mtimeMs: 0 };
        await file.close();
        expect(entries[path]).toMatchObject({ size, etag, mtimeMs, type, isFolder: false });
      }
    }
  });

  test('keeps its entries after a rescan, and has new ones after a rename', async () => {
    await utimes(antFile(), 1_000, 1_000);
    await library.scan({ hash: true });
    const before = await entriesOf(await open());
    expect(Object.keys(before)).toEqual(['gb/', ant, 'gb/Bee (USA).gb', list]);
    await library.scan({ hash: true });
    expect(await entriesOf(await open())).toEqual(before);
    await library.name({ 'Ant II (USA)': 'ant', 'Bee (USA)': 'bee' });
    const after = await entriesOf(await open());
    expect(Object.keys(after)).toContain('gb/Ant II (USA).gb');
    expect(after[list]?.etag).not.toBe(before[list]?.etag);
  });

  test('has a replaced cover at once, with a new ETag', async () => {
    const picture = 'gb/images/Ant (USA)-thumb.png';
    await setCover('Ant (USA)', await plainPicture({ width: 10, height: 10 }));
    const before = (await entriesOf(await open()))[picture];
    await setCover('Ant (USA)', await plainPicture({ width: 20, height: 10 }));
    const after = (await entriesOf(await open()))[picture];
    expect(before?.etag).toBeDefined();
    expect(after?.etag).not.toBe(before?.etag);
  });

  test('leaves out a cover that is not a picture', async () => {
    await setCover('Ant (USA)', Buffer.from('\xff\xd8\xff and no more', 'latin1'));
    const tree = await open();
    expect(Object.keys(await entriesOf(tree))).not.toContain('gb/images/Ant (USA)-thumb.png');
    const path = ['gb', 'images', 'Ant (USA)-thumb.png'];
    expect(await tree.find(path)).toBeNull();
    await expect(tree.open(path)).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('refuses to open a file that was changed since the scan', async () => {
    const tree = await open();
    await writeFile(antFile(), 'other bytes');
    await expect(tree.open(ant.split('/'))).rejects.toThrow(
      'the file was changed since the last scan',
    );
  });

  test('finds a file by its name in another Unicode normal form', async () => {
    await library.add('ä');
    await library.name({ 'Käfer (USA)': 'ä' });
    const tree = await open();
    expect(await tree.find(['gb', 'Käfer (USA).gb'.normalize('NFD')])).toMatchObject({ size: 2 });
    expect(await tree.find(['gb', 'Kaefer (USA).gb'])).toBeNull();
    expect(await tree.find(['gb', 'gamelist.xml', 'x'])).toBeNull();
  });
});

describe('an unreadable file of a device tree', () => {
  test('stays in the list if it is a sheet, with the recorded size', async () => {
    await addDisc();
    const movedPath = `${library.games.path}-away`;
    const sheets = async () =>
      Object.entries(await entriesOf(await open())).filter(([path]) => path.endsWith('.cue'));
    await rename(library.games.path, movedPath);
    expect(await sheets()).toHaveLength(1);
    await rename(movedPath, library.games.path);
    const [[path = '', entry] = []] = await sheets();
    expect(entry?.size).toBe((await bytesIn(await open()))[path]?.length);
  });

  test('is left out of the list if it is a picture, and tried again after a minute', async () => {
    await setCover('Ant (USA)', await plainPicture({ width: 10, height: 10 }));
    const { exports } = library.catalog;
    const read = exports.readPicture.bind(exports);
    const picture = 'gb/images/Ant (USA)-thumb.png';
    const paths = async () => Object.keys(await entriesOf(await open()));
    exports.readPicture = async () => {
      throw Object.assign(new Error('EACCES'), { errno: -13 });
    };
    expect(await paths()).toEqual(expect.arrayContaining([ant, list]));
    expect(await paths()).not.toContain(picture);
    exports.readPicture = async () => null; // as after a timeout
    expect(await paths()).not.toContain(picture);
    exports.readPicture = read;
    expect(await paths()).not.toContain(picture);
    const later = performance.now() + 61_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
    onTestFinished(() => clock.mockRestore());
    expect(await paths()).toContain(picture);
  });
});

describe('the planning of a device tree', () => {
  test('is done once for concurrent clients, and again only after a change', async () => {
    const { exports } = library.catalog;
    const planned: string[] = [];
    const tree = exports.tree.bind(exports);
    exports.tree = (request) => {
      planned.push(request.profile);
      return tree(request);
    };
    await Promise.all([open(), open(), open('es-de')]);
    expect(planned.sort()).toEqual(['batocera', 'es-de']);
    await open();
    expect(planned).toHaveLength(2);
    await library.name({ 'Ant (World)': 'ant' });
    await open();
    expect(planned).toHaveLength(3);
  });

  test('stops when its only client disconnects, but not while another client waits', async () => {
    const { exports } = library.catalog;
    const tree = exports.tree.bind(exports);
    const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
    let parts = 0;
    const ended = Promise.withResolvers<void>();
    exports.tree = async function* (request) {
      try {
        for await (const part of tree(request)) {
          yield part;
          parts += 1;
          await isHeld;
        }
      } finally {
        ended.resolve();
      }
    };
    const [leaving, other] = [new AbortController(), new AbortController()];
    const openFor = ({ signal }: AbortController, profile: string) =>
      withClient({ network: 'x', signal }, () => open(profile));
    const left = openFor(leaving, 'batocera');
    const stays = openFor(other, 'batocera');
    const alone = openFor(leaving, 'es-de');
    alone.catch(() => undefined);
    leaving.abort('gone');
    await expect(left).rejects.toBe('gone');
    await expect(alone).rejects.toBe('gone');
    release();
    expect(Object.keys(await entriesOf(await stays))).toHaveLength(4);
    await ended.promise;
    expect(parts).toBeLessThan(6);
  });

  test('is aborted if the tree is too large, and is not repeated', async () => {
    const { exports } = library.catalog;
    const { tree } = exports;
    onTestFinished(() => {
      exports.tree = tree;
    });
    let [pieces, plans] = [0, 0];
    async function* content() {
      for (; pieces < 200; pieces += 1) yield 'x'.repeat(2 ** 20);
    }
    exports.tree = async function* () {
      plans += 1;
      yield { kind: 'text', path: 'list', content: content(), list: null };
    };
    await expect(open()).rejects.toThrow('the tree is too large');
    expect(pieces).toBeLessThan(100);
    await expect(open()).rejects.toThrow('the tree is too large');
    expect(plans).toBe(1);
  });

  test('does not wait for the planning for another network', async () => {
    const { exports } = library.catalog;
    const tree = exports.tree.bind(exports);
    const held = Promise.withResolvers<void>();
    const planned: string[] = [];
    exports.tree = async function* (request) {
      planned.push(request.profile);
      if (request.profile !== 'minui') await held.promise;
      yield* tree(request);
    };
    const { signal } = new AbortController();
    const openFor = (network: string, profile: string) =>
      withClient({ network, signal }, () => open(profile));
    const waiting = [openFor('one', 'batocera'), openFor('one', 'es-de')];
    await openFor('other', 'minui');
    await expect.poll(() => planned.length).toBe(2);
    expect(planned).toContain('minui');
    held.resolve();
    await Promise.all(waiting);
  });

  test('fails for an unknown set or device', async () => {
    const message = async (opening: Promise<unknown>) =>
      opening.then(
        () => '',
        ({ message }: CatalogError) => message,
      );
    expect(await message(open('batocera', 'None'))).toBe('not found');
    expect(await message(open('none'))).toBe('no such profile');
  });
});

describe('the pictures of a device tree', () => {
  const names = Array.from({ length: 8 }, (_, index) => `Game ${index} (USA)`);
  const pathOf = (name: string) => ['gb', 'images', `${name}-thumb.png`];
  beforeEach(async () => {
    library = await useBuildLibrary(Object.fromEntries(names.map((name) => [name, name])));
    for (const [index, name] of names.entries()) {
      await setCover(name, await plainPicture({ width: 10 + index, height: 10 }));
    }
  });

  /** Holds the reading of covers until `release` is called, and counts the covers. */
  function holdCovers() {
    const { exports } = library.catalog;
    const read = exports.readPicture.bind(exports);
    const held = Promise.withResolvers<void>();
    const state = { begun: 0, release: held.resolve };
    exports.readPicture = async (source) => {
      state.begun += 1;
      await held.promise;
      return read(source);
    };
    return state;
  }

  test('are read two at a time, and not for clients that have disconnected', async () => {
    const covers = holdCovers();
    const tree = await open();
    const leaving = new AbortController();
    const read = (name: string) =>
      withClient({ network: 'x', signal: leaving.signal }, () => tree.find(pathOf(name)));
    const left = names.slice(1).map(read);
    const stays = tree.find(pathOf(names[0] ?? ''));
    await setImmediate();
    expect(covers.begun).toBe(2);
    leaving.abort('gone');
    expect(await Promise.allSettled(left)).toEqual(
      left.map(() => ({ status: 'rejected', reason: 'gone' })),
    );
    covers.release();
    expect(await stays).toMatchObject({ isFolder: false });
    expect(covers.begun).toBe(3);
  });
});
