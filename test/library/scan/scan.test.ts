import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nintendoImage } from '../../support/images/disc-images.ts';
import { makeCso } from '../../support/images/packed-images.ts';
import { asPlainUser, romOf, touch, useLibrary } from '../library-fixture.ts';

describe('a scan', () => {
  test('opens an unchanged file neither to identify nor to hash it', async () => {
    const library = await useLibrary();
    await library.write('a.iso');
    await library.write('inner/b.iso');
    expect(await library.scan({ hash: true })).toMatchObject({ files: 2, looked: 2, hashed: 2 });
    expect(library.identified).toHaveLength(2);
    library.forgetCalls();
    expect(await library.scan({ hash: true })).toMatchObject({ files: 2, looked: 0, hashed: 0 });
    expect([library.identified, library.hashed]).toEqual([[], []]);
  });

  test('identifies all files before it hashes them, and stores each result at once', async () => {
    const library = await useLibrary();
    for (const name of ['a', 'b', 'c']) await library.write(name, name.repeat(1000));
    const phases: string[] = [];
    const stop = new AbortController();
    const scanning = library.scan({
      hash: true,
      jobs: 1,
      signal: stop.signal,
      onProgress({ phase, filesDone }) {
        phases.push(`${phase} ${filesDone}`);
        if (phase === 'hash' && filesDone === 1) stop.abort(new Error('enough'));
      },
    });
    await expect(scanning).rejects.toThrow('enough');
    expect(phases.slice(0, 3)).toEqual(['identify 1', 'identify 2', 'identify 3']);
    expect(await library.stored('a', 'sha1')).toBe(romOf('a'.repeat(1000), '').sha1);
    expect(await library.stored('b', 'sha1')).toBeNull();
    library.forgetCalls();
    expect(await library.scan({ hash: true })).toMatchObject({ looked: 0, hashed: 2 });
    expect(library.hashed).toEqual(['games/b', 'games/c']);
  });

  test('reads a changed file again and drops its old hashes', async () => {
    const library = await useLibrary();
    const path = await library.write('x.iso', 'old content');
    await library.take([{ name: 'Old', roms: [romOf('old content', 'old.iso')] }]);
    await library.scan({ hash: true });
    expect(await library.matchOf('x.iso')).toMatchObject({ method: 'sha1' });
    await library.write('x.iso', nintendoImage('GW7E69', 'New', 'gamecube'));
    await touch(path, 1_000_000_000);
    expect(await library.scan()).toMatchObject({ looked: 1, hashed: 0 });
    expect(await library.stored('x.iso', 'sha1')).toBeNull();
    expect(await library.stored('x.iso', 'serial')).toBe('GW7E69');
    expect(await library.matchOf('x.iso')).toBeNull();
  });

  test('keeps the hashes of files renamed or moved to another folder or root', async () => {
    const library = await useLibrary();
    const paths = await Promise.all(['a.iso', 'b.iso', 'c.iso'].map((name) => library.write(name)));
    await library.scan({ hash: true });
    library.forgetCalls();
    mkdirSync(join(library.games.path, 'inner'));
    renameSync(paths[0] ?? '', join(library.games.path, 'renamed.iso'));
    renameSync(paths[1] ?? '', join(library.games.path, 'inner/b.iso'));
    renameSync(paths[2] ?? '', join(library.videos.path, 'c.iso'));
    const report = await library.scan({ hash: true });
    expect(report).toMatchObject({ files: 3, looked: 0, moved: 3, gone: 0, hashed: 0 });
    expect(library.identified).toEqual([]);
    expect(await library.stored('renamed.iso', 'sha1')).toBe(romOf('a.iso', '').sha1);
    const shown = (await library.items()).map(({ name, system }) => [name, system]);
    expect(shown).toEqual([
      ['b.iso', 'games'],
      ['c.iso', 'videos'],
      ['renamed.iso', 'games'],
    ]);
  });

  test('keeps the hashes of files that swapped names or replaced another file', async () => {
    const library = await useLibrary();
    const at = (name: string) => join(library.games.path, name);
    for (const [index, name] of ['a', 'b', 'c', 'd'].entries()) {
      await touch(await library.write(name), 1_000_000_000 + index);
    }
    await library.scan({ hash: true });
    library.forgetCalls();
    renameSync(at('a'), at('tmp'));
    renameSync(at('b'), at('a'));
    renameSync(at('tmp'), at('b'));
    renameSync(at('c'), at('d'));
    const report = await library.scan({ hash: true });
    expect(report).toMatchObject({ files: 3, looked: 0, moved: 3, hashed: 0 });
    expect(await library.stored('a', 'sha1')).toBe(romOf('b', '').sha1);
    expect(await library.stored('b', 'sha1')).toBe(romOf('a', '').sha1);
    expect(await library.stored('d', 'sha1')).toBe(romOf('c', '').sha1);
  });

  test('matches a moved file again by its new name', async () => {
    const library = await useLibrary();
    const path = await library.write('nonsense.bin');
    await library.take([{ name: 'Right name', roms: [{ name: 'r.iso', size: 1 }] }]);
    await library.scan();
    renameSync(path, join(library.games.path, 'Right name.bin'));
    expect(await library.scan()).toMatchObject({ looked: 0, moved: 1 });
    expect(await library.matchOf('Right name.bin')).toMatchObject({ method: 'name' });
  });

  test('treats a file of the same size and name with another time as a new file', async () => {
    const library = await useLibrary();
    const path = await library.write('a.iso', '1');
    await library.scan({ hash: true });
    rmSync(path);
    await touch(await library.write('inner/a.iso', '2'), 1_000_000_000);
    expect(await library.scan()).toMatchObject({ looked: 1, moved: 0, gone: 1 });
  });

  test('removes the records of deleted files', async () => {
    const library = await useLibrary();
    await library.write('kept.iso');
    rmSync(await library.write('gone.iso'));
    rmSync(await library.write('gone too.iso'));
    await library.write('gone.iso');
    await library.scan();
    rmSync(join(library.games.path, 'gone.iso'));
    expect(await library.scan()).toMatchObject({ files: 1, gone: 1 });
    expect((await library.items()).map(({ name }) => name)).toEqual(['kept.iso']);
  });

  test.each([
    ['missing', 'it does not exist', (root: string) => renameSync(root, `${root} away`)],
    [
      'empty',
      'it is empty, although files were known below it',
      (root: string) => {
        renameSync(root, `${root} away`);
        mkdirSync(root);
      },
    ],
    ['a file', 'it is no folder', undefined],
    ['unreadable', 'it may not be read (permission denied)', (root: string) => chmodSync(root, 0)],
  ])(
    'deletes and hashes nothing below a root that is %s, but scans other roots',
    async (...row) => {
      const [, reason, damage] = row;
      const library = await useLibrary();
      await library.write('one.iso');
      await library.scan();
      if (damage) damage(library.games.path);
      else {
        rmSync(library.games.path, { recursive: true });
        writeFileSync(library.games.path, 'a file');
      }
      await library.write('../videos/film.iso');
      const report = await asPlainUser(library.folder, () => library.scan({ hash: true }));
      expect(report).toMatchObject({ files: 2, looked: 1, gone: 0, hashed: 1, unreadable: [] });
      expect(report.problems).toEqual([{ root: library.games.path, reason, known: 1 }]);
      const forgetting = await asPlainUser(library.folder, () => library.scan({ forget: true }));
      expect(forgetting).toMatchObject({ files: 1, gone: 1 });
      expect(forgetting.problems).toHaveLength(1);
    },
  );

  test('reports no problem for an empty root without known files', async () => {
    const library = await useLibrary();
    expect((await library.scan()).problems).toEqual([]);
  });

  test('names unreadable files and folders, and continues the scan', async () => {
    const library = await useLibrary();
    const known = await library.write('locked later/known.iso');
    await library.scan();
    const locked = await library.write('locked.iso');
    await library.write('open.iso');
    chmodSync(locked, 0);
    chmodSync(join(known, '..'), 0);
    const report = await asPlainUser(library.folder, () => library.scan({ hash: true }));
    expect(report).toMatchObject({ files: 2, gone: 0, hashed: 1 });
    expect(
      report.unreadable.map(({ path }) => path.slice(library.games.path.length)).sort(),
    ).toEqual(['/locked later', '/locked later/known.iso', '/locked.iso']);
    for (const { reason } of report.unreadable) expect(reason).toMatch('EACCES');
  });

  test('reports a damaged file once, and continues the scan', async () => {
    const library = await useLibrary();
    const cso = makeCso(Buffer.alloc(50_000, 'disc'));
    await library.write('cut.cso', cso.subarray(0, cso.length - 300));
    await library.write('whole.cso', cso);
    const report = await library.scan({ hash: true });
    expect(report).toMatchObject({ files: 2, hashed: 1 });
    expect([...report.damaged, ...report.unreadable].map(({ path }) => path)).toEqual([
      join(library.games.path, 'cut.cso'),
    ]);
  });

  test('reads and hashes files again with `full`, and keeps the hashes until then', async () => {
    const library = await useLibrary();
    await library.write('a.iso');
    await library.write('b.iso');
    await library.take([{ name: 'A', roms: [romOf('a.iso', 'A.iso')] }]);
    await library.scan({ hash: true });
    library.forgetCalls();
    expect(await library.scan({ full: true })).toMatchObject({ looked: 2, hashed: 0, moved: 0 });
    expect(await library.matchOf('a.iso')).toMatchObject({ method: 'sha1' });
    expect(await library.scan({ full: true, hash: true })).toMatchObject({ looked: 2, hashed: 2 });
    expect(library.identified).toHaveLength(4);
    expect(library.hashed).toHaveLength(2);
  });

  test('finds files with odd names, and skips links and dotfiles', async () => {
    const library = await useLibrary();
    const names = [
      'ファイナル (日本).iso',
      'it\'s "100%" _odd_.iso',
      'new\nline.iso',
      `${'x'.repeat(251)}.iso`,
      '{phase}.iso',
      '%s%00.iso',
      'no ending',
    ];
    for (const name of names) await library.write(`a % folder/${name}`);
    await library.write('.hidden.iso');
    await library.write('.folder/hidden.iso');
    const target = await library.write('../outside/target.iso');
    symlinkSync(target, join(library.games.path, 'link.iso'));
    symlinkSync(join(target, '..'), join(library.games.path, 'linked folder'));
    symlinkSync(library.games.path, join(library.games.path, 'circle'));
    expect(await library.scan({ hash: true })).toMatchObject({
      files: 7,
      hashed: 7,
      unreadable: [],
    });
    const found = (await library.items()).map(({ name }) => name);
    expect(found).toEqual(
      [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
  });

  test('recognises unchanged files however their names are sorted', async () => {
    const library = await useLibrary();
    // These names sort differently by UTF-8 and by UTF-16. One of several names with the same
    // prefix is a folder.
    const names = [
      '\uff5a.iso',
      '\u{1F600}.iso',
      'a',
      'a!',
      'b/1',
      'b!',
      'b.iso',
      'b0',
      'B/b/c',
      '\ue000/\u{1F600}/x',
    ];
    for (const name of names) await library.write(name);
    expect(await library.scan()).toMatchObject({ files: names.length, looked: names.length });
    const again = { looked: 0, moved: 0, gone: 0 };
    expect(await library.scan()).toMatchObject({ files: names.length, ...again });
    rmSync(join(library.games.path, '\u{1F600}.iso'));
    await library.write('\ue000/\uff5a.iso');
    expect(await library.scan()).toMatchObject({
      files: names.length,
      looked: 1,
      moved: 0,
      gone: 1,
    });
  });

  test('reports a name that is not UTF-8', async () => {
    const library = await useLibrary();
    const folder = Buffer.from(`${library.games.path}/`);
    writeFileSync(Buffer.concat([folder, Buffer.from([0x61, 0xe9, 0x62])]), 'x');
    const { files, unreadable } = await library.scan();
    expect([files, unreadable.map(({ reason }) => reason)]).toEqual([0, ['its name is not UTF-8']]);
  });

  test('counts each file by its method in the report', async () => {
    const library = await useLibrary();
    await library.write('by hash');
    await library.write('by serial', nintendoImage('GW7E69', 'x', 'gamecube'));
    await library.write('Named.iso');
    await library.write('unknown');
    await library.take([
      { name: 'H', roms: [romOf('by hash', 'h')] },
      { name: 'S', serial: 'GW7E69', roms: [{ name: 's', size: 1 }] },
      { name: 'Named', roms: [{ name: 'n', size: 2 }] },
    ]);
    const recognised = { sha1: 1, md5: 0, crc32: 0, serial: 1, name: 1, manual: 0 };
    const report = await library.scan({ hash: true });
    expect(report).toMatchObject({ files: 4, recognised, unknown: 1, hashed: 4 });
  });

  test('matches known files with an import at the next scan, without opening them', async () => {
    const library = await useLibrary();
    await library.write('g', 'game');
    await library.write('../videos/v', 'video');
    await library.scan({ hash: true });
    await library.take([
      { name: 'Game', roms: [romOf('game', 'g.iso')] },
      { name: 'Video', roms: [romOf('video', 'v.iso')] },
    ]);
    library.forgetCalls();
    await library.scan({ roots: [library.games] });
    expect(await library.matchOf('g')).toMatchObject({ release: 'Game', method: 'sha1' });
    await library.scan({ roots: [library.videos] });
    expect(await library.matchOf('v')).toMatchObject({ release: 'Video', method: 'sha1' });
    expect(library.identified).toEqual([]);
  });
});
