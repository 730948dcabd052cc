import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FileArea, StoredFile } from '../../../src/core/shared/files/file-area.ts';
import { ensureDataFolder } from '../../../src/files/data-folder.ts';
import { areaTmpFolder, localArea } from '../../../src/files/local/local-area.ts';
import { ownerMark } from '../../../src/files/process-mark.ts';
import { localFiles } from '../../../src/files/stored-files.ts';
import { sweepTmp } from '../../../src/files/sweep-tmp.ts';
import { chunks, fileAreaContract, listed, named, open, read, store } from '../suites/file-area.ts';

const top = fs.mkdtempSync(join(tmpdir(), 'catalog-area-'));
afterAll(() => fs.rmSync(top, { recursive: true, force: true }));

function create() {
  const data = join(top, randomUUID());
  const folder = join(data, 'store', 'games');
  const tmp = join(data, 'tmp');
  return { data, folder, tmp, area: localArea({ folder, tmp }) };
}

const openFiles = () => fs.readdirSync('/proc/self/fd').length;

describe('a local file area', () => {
  fileAreaContract(async () => create().area);

  test('does not take back a published file that another process has replaced', async () => {
    const { area } = create();
    const staged = await area.stage(chunks(Buffer.from('ours')));
    await staged.publish('a');
    await store(area, 'a', 'theirs');
    await expect(staged.takeBack()).rejects.toThrow('not the file that was published');
    await staged.discard();
    expect((await read(area, 'a')).toString()).toBe('theirs');
  });
});

describe('an entry that is not a regular file of the folder', () => {
  function withOddities() {
    const made = create();
    const { folder, data } = made;
    fs.mkdirSync(join(folder, 'sub'), { recursive: true });
    fs.writeFileSync(join(folder, 'real'), 'real');
    fs.writeFileSync(join(folder, 'sub', 'deep'), 'deep');
    fs.writeFileSync(join(data, 'secret'), 'secret');
    fs.symlinkSync('real', join(folder, 'good link'));
    fs.symlinkSync(join(data, 'secret'), join(folder, 'link out'));
    fs.symlinkSync('../../secret', join(folder, 'relative out'));
    fs.symlinkSync('sub/deep', join(folder, 'link down'));
    fs.symlinkSync('sub', join(folder, 'link to folder'));
    fs.symlinkSync('loop', join(folder, 'loop'));
    fs.symlinkSync('nothing', join(folder, 'dangling'));
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    return made;
  }

  test('is neither listed, found, opened nor removed', async () => {
    const { area, folder } = withOddities();
    expect((await listed(area)).map((file) => file.name)).toEqual(['good link', 'real']);
    for (const name of fs.readdirSync(folder)) {
      const isGood = name === 'real' || name === 'good link';
      expect((await area.find(name)) !== null, name).toBe(isGood);
      const opened = await area.open(name);
      expect(opened !== null, name).toBe(isGood);
      await opened?.close();
      if (!isGood) expect(await area.remove(name), name).toBe(false);
    }
    expect((await read(area, 'good link')).toString()).toBe('real');
    expect(await area.countTree()).toBe(6); // real, sub/deep and the four links to files
  });

  test('is not found in a folder that is itself a link', async () => {
    const { folder, tmp, data } = withOddities();
    fs.symlinkSync(folder, join(data, 'alias'));
    const area = localArea({ folder: join(data, 'alias'), tmp });
    expect((await read(area, 'good link')).toString()).toBe('real');
    expect(await area.find('link out')).toBeNull();
  });

  test('is removed or replaced without a change of its target if it is a link', async () => {
    const { area, folder } = withOddities();
    expect(await area.remove('good link')).toBe(true);
    expect(fs.existsSync(join(folder, 'real'))).toBe(true);
    fs.symlinkSync('real', join(folder, 'good link'));
    await store(area, 'good link', 'new');
    expect(fs.readFileSync(join(folder, 'real'), 'utf8')).toBe('real');
  });

  test('is not replaced by an upload of its name if it is a folder', async () => {
    const { area, tmp } = withOddities();
    await expect(store(area, 'sub', 'x')).rejects.toThrow('invalid filename');
    expect(fs.readdirSync(tmp)).toEqual([]);
  });

  test('is not read when it replaces a file during access', async () => {
    const { area, folder, data } = withOddities();
    const script = `
      const fs = require('node:fs'); const [folder, secret] = process.argv.slice(1);
      for (;;) {
        fs.symlinkSync(secret, folder + '/sw.a'); fs.renameSync(folder + '/sw.a', folder + '/swapped');
        fs.writeFileSync(folder + '/sw.b', 'real'); fs.renameSync(folder + '/sw.b', folder + '/swapped');
      }`;
    const child = spawn(process.execPath, ['-e', script, folder, join(data, 'secret')]);
    const before = openFiles();
    const seen = { real: 0, none: 0 };
    while (seen.real <= 50 || seen.none <= 50) {
      const opened = await area.open('swapped');
      if (opened === null) seen.none += 1;
      else {
        expect((await buffer(opened.stream())).toString()).toMatch(/^(real)?$/);
        seen.real += 1;
      }
    }
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(openFiles()).toBeLessThanOrEqual(before);
  });
});

describe('the reader of a local area', () => {
  test('fails and closes a file that is truncated while it is read', async () => {
    const { area, folder } = create();
    await store(area, 'a', Buffer.alloc(1_000_000));
    const before = openFiles();
    const stream = (await open(area, 'a')).stream();
    await new Promise((resolve) => stream.once('readable', resolve));
    fs.truncateSync(join(folder, 'a'), 500_000);
    await expect(buffer(stream)).rejects.toThrow('became shorter');
    await expect.poll(openFiles).toBe(before);
  });

  test('reads bytes beyond 4 GiB', async () => {
    const { area, folder } = create();
    fs.mkdirSync(folder, { recursive: true });
    const handle = fs.openSync(join(folder, 'big'), 'w');
    fs.writeSync(handle, 'end', 5 * 2 ** 30);
    fs.closeSync(handle);
    const opened = await open(area, 'big');
    expect(opened.size).toBe(5 * 2 ** 30 + 3);
    const end = await buffer(opened.stream({ start: 5 * 2 ** 30 - 1, end: opened.size - 1 }));
    expect(end.toString()).toBe('\0end');
  });

  test('ignores a file whose name is not UTF-8', async () => {
    const { area, folder } = create();
    await store(area, 'a', 'x');
    fs.writeFileSync(Buffer.concat([Buffer.from(`${folder}/b`), Buffer.from([0xff])]), 'x');
    expect((await listed(area)).map((file) => file.name)).toEqual(['a']);
    expect(await area.find('b\ud800')).toBeNull();
  });
});

describe('the tag of a file', () => {
  const setTime = (path: string, seconds: number) => fs.utimesSync(path, seconds, seconds);

  test('depends on its size and mtime, not on the disk', async () => {
    const { area, folder } = create();
    fs.mkdirSync(folder, { recursive: true });
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    fs.writeFileSync(one, 'text');
    fs.writeFileSync(other, 'text');
    for (const path of [one, other]) setTime(path, 1_700_000_000);
    expect(fs.statSync(one).ino).not.toBe(fs.statSync(other).ino);
    const tags = [(await open(area, 'one')).etag, (await area.find('other'))?.etag];
    expect(tags).toEqual([tags[0], tags[0]]);
    setTime(other, 1_700_000_000.5);
    tags.push((await area.find('other'))?.etag);
    fs.appendFileSync(other, 's');
    setTime(other, 1_700_000_000);
    tags.push((await area.find('other'))?.etag);
    expect(new Set(tags).size).toBe(3);
  });

  /** Stops the clock. Returns two areas, the second of which represents another process. */
  async function useStoppedClock() {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const made = create();
    vi.resetModules();
    const others = await import('../../../src/files/local/local-area.ts');
    expect(others.localArea).not.toBe(localArea);
    return { ...made, areas: [made.area, others.localArea(made)] };
  }

  async function versions(areas: FileArea[], count: number) {
    const files: StoredFile[] = [];
    for (let i = 0; i < count; i++) {
      files.push(await store(areas[i % areas.length] as FileArea, 'a', `${i}`));
    }
    return files;
  }

  test('differs between versions of one size that processes store at the same time', async () => {
    const { areas } = await useStoppedClock();
    const files = await versions(areas, 8);
    expect(new Set(files.map(({ etag }) => etag)).size).toBe(8);
    const times = files.map(({ mtimeNs }) => mtimeNs);
    expect(times).toEqual([...times].sort((a, b) => Number(a - b)));
  });

  test('differs between versions even if the file system rounds times to 2 s', async () => {
    const { areas } = await useStoppedClock();
    const { utimes } = fs.promises;
    fs.promises.utimes = (path, atime, mtime) => {
      const seconds = 2 * Math.floor(Number(mtime) / 2);
      return utimes(path, atime, seconds);
    };
    syncBuiltinESMExports();
    try {
      const files = await versions(areas, 3);
      expect(new Set(files.map(({ etag }) => etag)).size).toBe(3);
    } finally {
      fs.promises.utimes = utimes;
      syncBuiltinESMExports();
    }
  });

  test('has a current time even if the replaced file has an mtime in the future', async () => {
    const { area, folder } = create();
    await store(area, 'a', 'old');
    setTime(join(folder, 'a'), 4_000_000_000);
    const { mtimeNs } = await store(area, 'a', 'new');
    expect(Number(mtimeNs / 1_000_000n)).toBeLessThan(Date.now() + 60_000);
  });
});

describe('the private files of the data folder', () => {
  /** Creates a data folder with a database and a copy of the database. Returns its areas. */
  async function withDatabase() {
    const data = join(top, randomUUID());
    const own = ['catalog.db', 'catalog.db-wal', 'catalog.db-shm', 'host', 'backups/before-7.db'];
    fs.mkdirSync(join(data, 'backups'), { recursive: true });
    fs.mkdirSync(join(data, 'store'));
    for (const name of own) fs.writeFileSync(join(data, name), 'secret');
    const { areas, covers } = await localFiles(data);
    return { data, own, area: areas.games, covers, folder: join(data, 'store', 'games') };
  }

  async function expectNone(area: FileArea, names: readonly string[]) {
    expect(await listed(area)).toEqual([]);
    expect(await named(area)).toEqual([]);
    for (const name of names) {
      expect(await area.find(name), name).toBeNull();
      expect(await area.open(name), name).toBeNull();
      expect(await area.remove(name), name).toBe(false);
      await expect(store(area, name, 'new'), name).rejects.toThrow('invalid filename');
    }
  }

  const left = (data: string, names: readonly string[]) =>
    names.map((name) => fs.readFileSync(join(data, name), 'utf8'));

  test('are not exposed in an area by hard links, not even new SQLite files', async () => {
    const { data, own, area, covers, folder } = await withDatabase();
    const names = own.map((name) => `${name.replace('/', ' ')}.zip`);
    fs.mkdirSync(folder);
    for (const day of [0, 1]) {
      // The area reuses the listing of a folder that has not changed for a long time.
      for (const each of [data, join(data, 'backups')]) fs.utimesSync(each, day, day);
      for (const [i, name] of names.entries()) {
        for (const target of [folder, join(data, 'covers')]) {
          fs.rmSync(join(target, name), { force: true });
          fs.linkSync(join(data, own[i] as string), join(target, name));
        }
      }
      await expectNone(area, names);
      await expectNone(covers, names);
    }
    // The area must notice a new file of SQLite at once.
    for (const path of [join(data, 'catalog.db-wal'), join(folder, 'catalog.db-wal.zip')]) {
      fs.rmSync(path);
    }
    fs.writeFileSync(join(data, 'catalog.db-wal'), 'new');
    fs.linkSync(join(data, 'catalog.db-wal'), join(folder, 'new.zip'));
    await expectNone(area, ['new.zip']);
    expect(new Set(left(data, own))).toEqual(new Set(['secret', 'new']));
  });

  test.each([
    ['the data folder itself', ''],
    ['the copies of the database', 'backups'],
  ])('are not exposed by an area that is a link to %s', async (_, to) => {
    const { data, own, area, folder } = await withDatabase();
    fs.symlinkSync(join(data, to), folder);
    const names = fs.readdirSync(folder).filter((name) => fs.statSync(join(folder, name)).isFile());
    expect(names.length).toBeGreaterThan(0);
    fs.symlinkSync(names[0] as string, join(folder, 'link'));
    await expectNone(area, [...names, 'link']);
    expect(left(data, own)).toEqual(own.map(() => 'secret'));
  });

  test('do not make an area hide other files with two hard links', async () => {
    const { data, area, folder } = await withDatabase();
    await store(area, 'a', 'text');
    fs.linkSync(join(folder, 'a'), join(data, 'store', 'second name'));
    fs.linkSync(join(data, 'catalog.db'), join(folder, 'b'));
    expect(await named(area)).toEqual(['a']);
    expect((await listed(area)).map(({ name }) => name)).toEqual(['a']);
    expect((await read(area, 'a')).toString()).toBe('text');
    await store(area, 'a', 'new');
  });
});

describe('a full disk', () => {
  function tmpfs(options: string): string | null {
    const point = fs.mkdtempSync(join(top, 'full-'));
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', point]);
    return mount.status === 0 ? point : null;
  }

  test.for([
    ['bytes', 'size=1m'],
    ['inodes', 'size=1m,nr_inodes=4'],
  ] as const)(
    'is reported if %s run out, and leaves no temporary file',
    async ([, options], { skip }) => {
      const point = tmpfs(options);
      if (point === null) return skip('skipped: mounting a tmpfs needs root');
      try {
        const tmp = join(point, 'tmp');
        const area = localArea({ folder: join(point, 'store'), tmp });
        const upload = async () => {
          for (let i = 0; i < 5; i++) await store(area, `file ${i}`, Buffer.alloc(300_000));
        };
        await expect(upload()).rejects.toMatchObject({ kind: 'storage-full' });
        expect(fs.readdirSync(tmp)).toEqual([]);
        const files = await listed(area);
        for (const { name } of files) expect(await read(area, name)).toHaveLength(300_000);
        for (const { name } of files) expect(await area.remove(name)).toBe(true);
        await store(area, 'after', 'x');
      } finally {
        spawnSync('umount', [point]);
      }
    },
  );
});

describe('an area on another file system than tmp', () => {
  test('stores files completely and shows nothing unfinished', async ({ skip }) => {
    const { tmp, folder } = create();
    fs.mkdirSync(folder, { recursive: true });
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
    if (mount.status !== 0) return skip('skipped: mounting a tmpfs needs root');
    try {
      const area = localArea({ folder, tmp });
      expect(await area.hasSpaceFor(1_048_577)).toBe(false);
      expect(await area.hasSpaceFor(500_000)).toBe(true);
      const staged = await area.stage(chunks(Buffer.from('bytes')));
      expect(await listed(area)).toEqual([]);
      expect(fs.readdirSync(areaTmpFolder(folder))).toHaveLength(1);
      await staged.publish('a');
      expect(await read(area, 'a')).toEqual(Buffer.from('bytes'));
      expect(fs.readdirSync(areaTmpFolder(folder))).toEqual([]);
    } finally {
      spawnSync('umount', [folder]);
    }
  });
});

describe('the sweep of the folder tmp', () => {
  const DEAD = 2 ** 22 + 1; // above the largest process id of Linux
  function put(tmp: string, name: string, ageHours = 0): string {
    fs.mkdirSync(tmp, { recursive: true });
    fs.writeFileSync(join(tmp, name), 'x');
    const seconds = Date.now() / 1000 - ageHours * 3600;
    fs.utimesSync(join(tmp, name), seconds, seconds);
    return name;
  }

  test('removes the leftovers of dead processes and nothing else', async () => {
    const { tmp, area } = create();
    const host = hostname().replace(/[^\w-]/g, '-');
    put(tmp, `${host}.${DEAD}.${randomUUID()}`);
    put(tmp, `${host}.${process.pid}.${randomUUID()}`); // an earlier process with this id
    put(tmp, `elsewhere.1.${randomUUID()}`, 25);
    put(tmp, 'unknown', 25);
    const remaining = [
      put(tmp, `${host}.1.${randomUUID()}`),
      put(tmp, `elsewhere.${DEAD}.${randomUUID()}`, 23),
      put(tmp, 'fresh'),
      put(tmp, ownerMark()),
    ];
    const staged = await area.stage(chunks(Buffer.from('mine')));
    expect(await sweepTmp(tmp)).toBe(4);
    await staged.publish('mine');
    expect(fs.readdirSync(tmp).sort()).toEqual(remaining.sort());
    expect(await sweepTmp(join(tmp, 'missing'))).toBe(0);
  });

  test('removes the file that a killed process was staging', async () => {
    const { tmp, folder } = create();
    const script = `
      const { localArea } = await import(${JSON.stringify(join(process.cwd(), 'src/files/local/local-area.ts'))});
      async function* bytes() { yield Buffer.alloc(1000); process.kill(process.pid, 'SIGKILL'); await new Promise((r) => setTimeout(r, 5000)); }
      await localArea(${JSON.stringify({ folder, tmp })}).stage(bytes());`;
    const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
    expect(signal, String(stderr)).toBe('SIGKILL');
    expect(fs.readdirSync(tmp)).toHaveLength(1);
    expect(await sweepTmp(tmp)).toBe(1);
    expect(fs.readdirSync(tmp)).toEqual([]);
  });
});

describe('the data folder', () => {
  test('is created with access for this user only, and keeps a changed mode', async () => {
    const { data } = create();
    expect(await ensureDataFolder(data)).toBeNull();
    expect(fs.statSync(data).mode & 0o777).toBe(0o700);
    fs.chmodSync(data, 0o755);
    expect(await ensureDataFolder(data)).toBeNull();
    expect(fs.statSync(data).mode & 0o777).toBe(0o755);
  });

  test.each([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0xff534d42 | 0])(
    'is refused on the network file system %i',
    async (type) => {
      const { data } = create();
      await expect(ensureDataFolder(data, async () => type)).rejects.toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(/^[^\n]*network file system[^\n]*database[^\n]*$/),
      });
    },
  );

  test('causes a warning on FUSE', async () => {
    expect(await ensureDataFolder(create().data, async () => 0x65735546)).toContain('FUSE');
  });

  test('is refused if it is a file', async () => {
    const { data } = create();
    fs.writeFileSync(data, '');
    await expect(ensureDataFolder(data)).rejects.toMatchObject({ kind: 'refused' });
  });
});
