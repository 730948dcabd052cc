import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DamagedImage, DiskFailure } from '../../../src/core/library/file-failures.ts';
import type { Identity } from '../../../src/core/library/identity.ts';
import type { Disk } from '../../../src/core/library/ports.ts';
import { asPlainUser, romOf } from '../../library/library-fixture.ts';
import { makeCso } from '../../support/images/packed-images.ts';

const MIB = 1_048_576;

/**
 * Contract of every `Disk` adapter that reads files on this machine. Includes the distinction
 * between failures and bugs.
 */
export function diskContract(create: () => Disk & { close(): Promise<void> }): void {
  function open() {
    const folder = mkdtempSync(join(tmpdir(), 'catalog-disk-'));
    const disk = create();
    onTestFinished(async () => {
      await disk.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const write = (name: string, content: Buffer | string) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    };
    const signal = new AbortController().signal;
    const hash = async (path: string, more: { identity?: Identity; signal?: AbortSignal } = {}) => {
      const identity = more.identity === undefined ? await disk.identify(path) : more.identity;
      return disk.hash(path, identity, { signal: more.signal ?? signal, onBytes() {} });
    };
    return { disk, folder, write, hash };
  }

  describe('walk()', () => {
    async function walk(disk: Disk, root: string) {
      const unreadable: string[] = [];
      const found: string[] = [];
      for await (const files of disk.walk(root, (path) => unreadable.push(path))) {
        found.push(...files.map(({ path }) => path.slice(root.length + 1)));
      }
      return { found, unreadable: unreadable.map((path) => path.slice(root.length + 1)) };
    }

    test('finds files in path order and reports unreadable folders', async () => {
      const { disk, folder, write } = open();
      mkdirSync(join(folder, 'b'));
      mkdirSync(join(folder, 'locked'));
      for (const name of ['c', 'b/2', 'b/1', 'a', 'locked/x', '.hidden']) write(name, name);
      chmodSync(join(folder, 'locked'), 0);
      const walked = await asPlainUser(folder, () => walk(disk, folder));
      expect(walked).toEqual({ found: ['a', 'b/1', 'b/2', 'c'], unreadable: ['locked'] });
    });

    test('skips excluded folders', async () => {
      const { disk, folder, write } = open();
      for (const name of ['b', 'b/inner', 'bb']) mkdirSync(join(folder, name));
      for (const name of ['a', 'b/1', 'b/inner/2', 'bb/3']) write(name, name);
      const found: string[] = [];
      const fail = (path: string) => expect.fail(path);
      for await (const files of disk.walk(folder, fail, [join(folder, 'b')])) {
        found.push(...files.map(({ name }) => name));
      }
      expect(found).toEqual(['a', '3']);
    });

    test('throws a disk failure with its code when the root cannot be read', async () => {
      const { disk, folder, write } = open();
      for (const [root, code] of [
        [join(folder, 'missing'), 'ENOENT'],
        [write('file', ''), 'ENOTDIR'],
      ] as const) {
        const failed = await walk(disk, root).catch((error: unknown) => error);
        expect(failed).toBeInstanceOf(DiskFailure);
        expect(failed).toMatchObject({ code });
      }
    });
  });

  test('resolves links in the path of a root if the target exists', async () => {
    const { disk, folder } = open();
    mkdirSync(join(folder, 'there'));
    for (const name of ['there', 'gone'])
      symlinkSync(join(folder, name), join(folder, `to ${name}`));
    expect(await disk.placeOf(join(folder, 'to there'))).toBe(join(folder, 'there'));
    expect(await disk.placeOf(join(folder, 'to gone'))).toBe(join(folder, 'to gone'));
  });

  describe('find()', () => {
    test('returns a file like walk(), or null if it is missing, a folder or linked', async () => {
      const { disk, folder, write } = open();
      mkdirSync(join(folder, 'b'));
      const path = write('b/1', 'bytes');
      symlinkSync(path, join(folder, 'linked'));
      symlinkSync(join(folder, 'b'), join(folder, 'linked folder'));
      const { mtimeNs, ino: inode } = statSync(path, { bigint: true });
      const found = await disk.find(folder, path);
      expect(found).toEqual({ path, name: '1', size: 5, mtimeNs, inode });
      const linkedRoot = join(folder, 'linked folder');
      expect(await disk.find(linkedRoot, join(linkedRoot, '1'))).toMatchObject({ size: 5 });
      for (const name of ['b', 'gone', 'b/1/below', 'linked', 'linked folder/1']) {
        expect(await disk.find(folder, join(folder, name))).toBeNull();
      }
    });

    test('throws a disk failure when access is denied', async () => {
      const { disk, folder, write } = open();
      mkdirSync(join(folder, 'locked'));
      const path = write('locked/x', '');
      chmodSync(join(folder, 'locked'), 0);
      const failed = await asPlainUser(folder, () =>
        disk.find(folder, path).catch((error: unknown) => error),
      );
      expect(failed).toBeInstanceOf(DiskFailure);
      expect(failed).toMatchObject({ code: 'EACCES' });
    });
  });

  describe('identify()', () => {
    test('returns the damage of a file as the problem of its identity', async () => {
      const { disk, write } = open();
      const cso = makeCso(Buffer.alloc(50_000, 'disc'));
      const cut = await disk.identify(write('cut.cso', cso.subarray(0, 40)));
      expect(cut.problem).toMatch(/^it/);
      expect((await disk.identify(write('plain', 'x'))).problem).toBeNull();
    });

    test('throws for a file that is unreadable or not a regular file', async () => {
      const { disk, folder } = open();
      const missing = await disk.identify(join(folder, 'missing')).catch((error: unknown) => error);
      expect(missing).toBeInstanceOf(DiskFailure);
      expect(missing).toMatchObject({ code: 'ENOENT', message: expect.stringMatching('ENOENT') });
      await expect(disk.identify('/dev/null')).rejects.toThrow(DamagedImage);
    });
  });

  describe('hash()', () => {
    test('returns the hashes of the image inside a file', async () => {
      const { write, hash } = open();
      const image = Buffer.alloc(3 * MIB, 'disc');
      const { size, crc, md5, sha1 } = romOf(image, '');
      const expected = { size, crc32: crc, md5, sha1 };
      expect(await hash(write('a.cso', makeCso(image)))).toEqual(expected);
      expect(await hash(write('a.iso', image))).toEqual(expected);
    });

    test('distinguishes damage, a disk failure and a bug, and stays usable', async () => {
      const { disk, folder, write, hash } = open();
      const cso = makeCso(Buffer.alloc(3 * MIB, 'disc'), { blockSize: 65_536 }, (block, index) =>
        index === 40 ? Buffer.from('no deflate') : deflateRawSync(block),
      );
      const damaged = await hash(write('damaged.cso', cso)).catch((error: unknown) => error);
      expect(damaged).toBeInstanceOf(DamagedImage);
      expect(damaged).toMatchObject({ message: expect.stringMatching(/^it is damaged: /) });
      const path = write('gone', 'x');
      const identity = await disk.identify(path);
      rmSync(path);
      const gone = await hash(path, { identity }).catch((error: unknown) => error);
      expect(gone).toBeInstanceOf(DiskFailure);
      expect(gone).toMatchObject({ code: 'ENOENT' });
      // Invalid tracks are a bug of the caller, not damage in the file.
      const bug = await hash(write('a', 'x'), {
        identity: { ...identity, tracks: [null, null] } as never,
      }).catch((error: unknown) => error);
      expect(bug).toBeInstanceOf(TypeError);
      expect(bug).toMatchObject({ stack: expect.stringContaining('hash-image') });
      const directory = await hash(folder, { identity }).catch((error: unknown) => error);
      expect(directory).toBeInstanceOf(DamagedImage);
      expect((await hash(write('b', 'x'))).size).toBe(1);
    });

    test('throws the abort reason if it is aborted in the middle of a file', async () => {
      const { write, hash, disk } = open();
      const path = write('long', 'x');
      truncateSync(path, 2 ** 34);
      const stop = new AbortController();
      const reason = new Error('enough');
      const identity = await disk.identify(path);
      const hashing = disk.hash(path, identity, {
        signal: stop.signal,
        onBytes: () => stop.abort(reason),
      });
      await expect(hashing).rejects.toBe(reason);
      expect((await hash(write('b', 'x'))).size).toBe(1);
    });
  });
}
