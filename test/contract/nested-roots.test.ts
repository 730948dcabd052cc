import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LibraryRoot } from '../../src/core/library/library-file.ts';
import { LibraryFiles } from '../../src/core/library/library-files.ts';
import { RecordedImages } from '../../src/core/library/recorded-images.ts';
import { oneHost } from '../../src/core/library/root-hosts.ts';
import { LibraryScanner } from '../../src/core/library/scan/scanner.ts';
import { systemClock as clock } from '../../src/core/shared/clock.ts';
import { localDisk } from '../../src/disk/local-disk.ts';
import { sqlLibraryRecords } from '../../src/sql/library/library-records.ts';
import { describeEngines } from './fixtures/engines.ts';
import { useEngine } from './fixtures/use-engine.ts';
import { actor } from './fixtures/use-releases.ts';
import { addReleases } from './suites/release-rows.ts';

describeEngines('$name: a library root within another one', ({ open }) => {
  /** Creates a game below the root `isos`, and a film in the folder `videos` of this root. */
  async function useIsos() {
    const engine = await useEngine(open);
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'catalog-nested-')));
    const disk = localDisk();
    onTestFinished(async () => {
      await disk.close();
      rmSync(folder, { recursive: true, force: true });
    });
    for (const name of ['isos/game.iso', 'isos/videos/film.iso']) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), name);
    }
    const records = sqlLibraryRecords({ engine, clock });
    const scanner = new LibraryScanner({ disk, records });
    const images = new RecordedImages({ disk, scanned: records.scanned, hosts: oneHost });
    const rootAt = (name: string, system: LibraryRoot['system']): LibraryRoot => ({
      path: join(folder, name),
      system,
    });
    const [isos, videos] = [rootAt('isos', 'games'), rootAt('isos/videos', 'videos')];
    async function scan(...roots: LibraryRoot[]) {
      const signal = new AbortController().signal;
      const passes = { hash: true, full: false, forget: false, jobs: 1, retriesWhenBusy: false };
      const report = await scanner.scan({ roots, ...passes, signal, onProgress() {} });
      const { looked, hashed, moved, gone, problems } = report;
      return { looked, hashed, moved, gone, problems };
    }
    /** Returns the path, the displayed system and the root of every known file. */
    async function known() {
      const page = { limit: 100, offset: 0 };
      const files = await records.files.list({ search: '', system: '', state: '' }, page);
      const places = await Promise.all(files.map(({ id }) => records.files.findPlace(id)));
      const short = (path: string) => path.slice(folder.length + 1);
      return files
        .map(({ path, system }, i) => [short(path), system, short(places[i]?.root.path ?? '')])
        .sort();
    }
    const idOf = async (name: string) => {
      const filter = { search: name, system: '', state: '' } as const;
      const [file] = await records.files.list(filter, { limit: 1, offset: 0 });
      return file?.id ?? 0;
    };
    return { engine, records, images, folder, rootAt, isos, videos, scan, known, idOf };
  }

  const unchanged = { looked: 0, hashed: 0, moved: 0, gone: 0, problems: [] };
  const divided = [
    ['isos/game.iso', 'games', 'isos'],
    ['isos/videos/film.iso', 'videos', 'isos/videos'],
  ];
  const undivided = [
    ['isos/game.iso', 'games', 'isos'],
    ['isos/videos/film.iso', 'games', 'isos'],
  ];

  test('has its own files, whichever root is named first', { tags: ['full'] }, async () => {
    const { isos, videos, scan, known, records } = await useIsos();
    expect(await scan(isos, videos)).toMatchObject({ looked: 2, hashed: 2 });
    expect(await known()).toEqual(divided);
    expect(await scan(videos, isos)).toEqual(unchanged);
    expect(await known()).toEqual(divided);
    const roots = await records.files.roots();
    expect(roots.map(({ path, files }) => [path, files])).toEqual([
      [isos.path, 1],
      [videos.path, 1],
    ]);
  });

  test('takes over the records of its files from the outer root, and returns them', async () => {
    const { engine, records, isos, videos, scan, known, idOf } = await useIsos();
    await scan(isos);
    expect(await known()).toEqual(undivided);
    const [release = 0] = await addReleases(engine, [{ name: 'R' }]);
    const id = await idOf('film');
    await new LibraryFiles({ records, roots: [isos] }).choose(id, release, actor);
    expect(await scan(isos, videos)).toEqual({ ...unchanged, moved: 1 });
    const film = await records.files.find(id);
    expect(film).toMatchObject({ method: 'manual', releaseId: release });
    expect(film?.hashes).not.toBeNull();
    expect((await known()).map(([, , root]) => root)).toEqual(['isos', 'isos/videos']);
    expect(await scan(isos, videos)).toEqual(unchanged);

    expect(await scan(isos)).toEqual({ ...unchanged, moved: 1 });
    expect(await records.files.find(id)).toMatchObject({ method: 'manual', releaseId: release });
    expect((await records.files.roots()).map(({ path }) => path)).toEqual([isos.path]);
    expect(await scan(isos, videos)).toEqual({ ...unchanged, moved: 1 });
  });

  test("merges two records of a file, preferring an editor's choice, then hashes", async () => {
    const { engine, records, isos, videos, scan, known } = await useIsos();
    await scan(videos);
    await scan(isos, videos);
    // Earlier versions stored two rows for a file below two roots, one row for each root.
    const copy = (root: string, path: string) =>
      engine.write(async (_trx, bulk) => {
        await bulk.run(
          `INSERT INTO library_file (root_id, path, name, size, mtime_ns, inode, identity, evidence, search, system, reader)
          SELECT (SELECT id FROM library_root WHERE path = ?), path, name, size, mtime_ns, inode,
            identity, evidence, search, 'games', reader FROM library_file WHERE path = ?`,
          [[root, path]],
        );
      });
    const film = join(videos.path, 'film.iso');
    await copy(isos.path, film);
    expect(await known()).toHaveLength(3);
    expect(await scan(isos, videos)).toEqual({ ...unchanged, moved: 1 });
    expect(await known()).toEqual(divided);

    await copy(isos.path, film);
    const [release = 0] = await addReleases(engine, [{ name: 'R' }]);
    const files = new LibraryFiles({ records, roots: [isos] });
    const page = { limit: 9, offset: 0 };
    const rows = await records.files.list({ search: 'film', system: 'games', state: '' }, page);
    await files.choose(rows[0]?.id ?? 0, release, actor);
    expect(await scan(isos, videos)).toMatchObject({ looked: 0, moved: 1, gone: 0 });
    const left = await records.files.list({ search: 'film', system: '', state: '' }, page);
    expect(left).toMatchObject([{ id: rows[0]?.id, method: 'manual', releaseId: release }]);
  });

  test('keeps its records when it cannot be read', { tags: ['full'] }, async () => {
    const { isos, videos, scan, known } = await useIsos();
    await scan(isos);
    rmSync(videos.path, { recursive: true });
    const problems = [{ root: videos.path, reason: 'it does not exist', known: 1 }];
    expect(await scan(isos, videos)).toEqual({ ...unchanged, moved: 1, problems });
    expect(await known()).toHaveLength(2);
  });

  test('is recognised if its path is a symbolic link', { tags: ['full'] }, async () => {
    const { folder, rootAt, isos, scan, known } = await useIsos();
    await scan(isos);
    symlinkSync(join(folder, 'isos/videos'), join(folder, 'films'));
    const films = rootAt('films', 'videos');
    expect(await scan(isos, films)).toEqual({ ...unchanged, moved: 1 });
    expect(await known()).toEqual([
      ['films/film.iso', 'videos', 'films'],
      ['isos/game.iso', 'games', 'isos'],
    ]);
    expect(await scan(isos, films)).toEqual(unchanged);
  });

  test('is scanned as videos if it is a link to the whole root of games', {
    tags: ['full'],
  }, async () => {
    const { folder, rootAt, isos, scan, known, records } = await useIsos();
    await scan(isos);
    symlinkSync(join(folder, 'isos'), join(folder, 'films'));
    expect(await scan(isos, rootAt('films', 'videos'))).toEqual({ ...unchanged, moved: 2 });
    expect(await known()).toEqual([
      ['films/game.iso', 'videos', 'films'],
      ['films/videos/film.iso', 'videos', 'films'],
    ]);
    expect(await records.files.roots()).toHaveLength(1);
  });

  test('lists its files with the system of the innermost configured root, whatever was scanned', {
    tags: ['full'],
  }, async () => {
    const { records, isos, videos, scan, rootAt } = await useIsos();
    const list = async (...roots: LibraryRoot[]) => {
      const items = await records.list.items(roots, await records.scanned.roots());
      return items.map(({ name, system }) => [name, system]);
    };
    const lists = async () => [await list(isos, videos), await list(isos), await list(videos)];
    const expected = [
      [
        ['film.iso', 'videos'],
        ['game.iso', 'games'],
      ],
      [
        ['film.iso', 'games'],
        ['game.iso', 'games'],
      ],
      [['film.iso', 'videos']],
    ];
    await scan(isos, videos);
    expect(await lists()).toEqual(expected);
    await scan(isos);
    expect(await lists()).toEqual(expected);
    expect(await list(rootAt('iso', 'games'))).toEqual([]);
  });

  test('is verified separately from the outer root', { tags: ['full'] }, async () => {
    const { images, isos, videos, scan } = await useIsos();
    await scan(isos, videos);
    expect(await images.roots()).toEqual([isos.path, videos.path]);
    const fail = (path: string) => expect.fail(path);
    const found = await images.walk(isos.path, fail);
    expect([...found.keys()]).toEqual([join(isos.path, 'game.iso')]);
    expect([...(await images.walk(videos.path, fail)).keys()]).toHaveLength(1);
    expect(await images.known(isos.path, '')).toHaveLength(1);
  });
});
