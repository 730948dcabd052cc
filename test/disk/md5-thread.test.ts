import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hashImage } from '../../src/disk/hash/hash-image.ts';
import { hashStream } from '../../src/disk/hash/hash-stream.ts';
import { Md5Thread } from '../../src/disk/hash/md5-thread.ts';
import { identifyFile } from '../../src/disk/identify.ts';
import { makeCso } from '../support/images/packed-images.ts';
import { hashesOf } from './hashes-of.ts';
import { imageFolder } from './image-folder.ts';

const folder = imageFolder();

function useThread(): Md5Thread {
  const thread = new Md5Thread();
  onTestFinished(() => thread.close());
  return thread;
}

describe('the MD5 thread', () => {
  test('calculates the correct hashes of one file after another', async () => {
    const md5 = useThread();
    const large = randomBytes(20 * 1024 * 1024);
    const cases: [Buffer, Buffer][] = [
      [large, large],
      [makeCso(large.subarray(0, 3_000_001)), large.subarray(0, 3_000_001)],
      [Buffer.alloc(0), Buffer.alloc(0)],
    ];
    for (const [file, image] of cases) {
      const path = folder.write(file);
      expect(await hashImage(path, await identifyFile(path), { md5 })).toEqual(hashesOf(image));
    }
  });

  test('hashes a stream correctly after an earlier stream failed', async () => {
    const md5 = useThread();
    const failing = (async function* () {
      yield randomBytes(1_000_000);
      throw new Error('the disk is gone');
    })();
    await expect(hashStream(failing, { md5 })).rejects.toThrow('the disk is gone');
    const bytes = Buffer.from('the next one');
    const next = (async function* () {
      yield bytes;
    })();
    expect(await hashStream(next, { md5 })).toEqual(hashesOf(bytes));
  });

  test('hashes correctly if the caller reuses one buffer for all pieces', async () => {
    const md5 = useThread();
    const piece = Buffer.alloc(100_000);
    const all = createHash('md5');
    const reusing = (async function* () {
      for (let i = 0; i < 200; i += 1) {
        piece.fill(i);
        all.update(piece);
        yield piece;
      }
    })();
    expect((await hashStream(reusing, { md5 })).md5).toBe(all.digest('hex'));
  });

  test('fails instead of waiting forever if its thread has ended', async () => {
    const md5 = new Md5Thread();
    md5.start();
    await md5.close();
    const bytes = (async function* () {
      for (let i = 0; i < 20; i += 1) yield Buffer.alloc(1_000_000);
    })();
    await expect(hashStream(bytes, { md5 })).rejects.toThrow('ended');
  });
});
