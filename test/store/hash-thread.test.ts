import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RunningHash } from '../../src/core/uploads/ports.ts';
import { HashThread } from '../../src/files/hashes/hash-thread.ts';
import { sha256OfPieces } from '../../src/files/s3/hash-pieces.ts';
import { blockBytes, SharedBlocks } from '../../src/files/uploads/shared-blocks.ts';

const thread = new HashThread();
afterAll(() => thread.close());

/** Copies bytes into shared memory. */
function shared(bytes: Uint8Array): Uint8Array {
  const view = new Uint8Array(new SharedArrayBuffer(bytes.length));
  view.set(bytes);
  return view;
}

const hex = async (hash: RunningHash) => (await hash.digest()).toString('hex');
const expected = (algorithm: string, ...parts: Uint8Array[]) =>
  createHash(algorithm).update(Buffer.concat(parts)).digest('hex');

describe('the hash thread', () => {
  test('computes the same hashes as the main thread, also after a copy', async () => {
    const part = fc.uint8Array({ maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(fc.array(part), fc.array(part), part, async (first, second, other) => {
        const [a, b] = [thread.start('sha256'), thread.start('sha1')];
        for (const bytes of first) await thread.update([a, b], shared(bytes));
        const copy = a.copy();
        // The updates are not awaited, because the thread processes them in order.
        const taken = second.map((bytes) => thread.update([a, b], shared(bytes)));
        await Promise.all([...taken, thread.update([copy], shared(other))]);
        expect(await Promise.all([hex(a), hex(b), hex(copy)])).toEqual([
          expected('sha256', ...first, ...second),
          expected('sha1', ...first, ...second),
          expected('sha256', ...first, other),
        ]);
      }),
      { numRuns: 30 },
    );
  });

  test('transfers the memory of pieces, but copies parts of a buffer', async () => {
    const whole = randomBytes(100_000);
    const own = [1, 70_000, 0].map((size) => new Uint8Array(randomBytes(size)));
    const pieces = [...own, whole.subarray(5, 60_000)];
    const content = Buffer.concat(pieces);
    const hash = thread.start('sha256');
    const moving = thread.transfer(hash, pieces);
    expect(own.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0]);
    expect(whole.byteLength).toBe(100_000);
    await moving;
    expect(await hex(hash)).toBe(expected('sha256', content));
  });

  test('hashes pieces that are read, at most two groups at a time', async () => {
    const pieces = Array.from({ length: 40 }, () => new Uint8Array(randomBytes(100_000)));
    const content = Buffer.concat(pieces);
    let moving = 0;
    let most = 0;
    class Watched extends HashThread {
      override async transfer(...args: Parameters<HashThread['transfer']>): Promise<void> {
        moving += 1;
        most = Math.max(most, moving);
        await super.transfer(...args);
        moving -= 1;
      }
    }
    const own = new Watched();
    onTestFinished(() => own.close());
    let bytes = 0;
    const read = async (use: (piece: Uint8Array) => Promise<unknown> | undefined) => {
      for (const piece of pieces) await use(piece);
    };
    const hash = await sha256OfPieces(own, read, (more) => {
      bytes += more;
      return undefined;
    });
    expect(hash).toBe(expected('sha256', content));
    expect(bytes).toBe(content.length);
    expect(most).toBe(2);
  });

  test.each([
    ['the reader', () => Promise.reject(new Error('cut')), () => undefined],
    [
      'the counter',
      async (use: (piece: Uint8Array) => unknown) => void (await use(new Uint8Array(5))),
      () => Promise.reject(new Error('cut')),
    ],
    [
      'the counter at once',
      async (use: (piece: Uint8Array) => unknown) => void (await use(new Uint8Array(5))),
      () => {
        throw new Error('cut');
      },
    ],
  ])('rejects with the error of %s, and drops the hash', async (_, read, onBytes) => {
    let dropped = 0;
    class Watched extends HashThread {
      override drop(...args: Parameters<HashThread['drop']>): void {
        dropped += 1;
        super.drop(...args);
      }
    }
    const own = new Watched();
    onTestFinished(() => own.close());
    await expect(sha256OfPieces(own, read, onBytes)).rejects.toThrow('cut');
    expect(dropped).toBe(1);
  });

  test('rejects when the thread ends while pieces are read', async () => {
    const own = new HashThread();
    onTestFinished(() => own.close());
    const read = async (use: (piece: Uint8Array) => unknown) => {
      await use(new Uint8Array(5));
      await own.close();
    };
    await expect(sha256OfPieces(own, read, () => undefined)).rejects.toThrow('ended');
  });

  test('rejects hashes after the thread ended, and starts another for the next hash', async () => {
    const own = new HashThread();
    onTestFinished(() => own.close());
    const [lost, dropped] = [own.start('sha256'), own.start('sha1')];
    const taking = own.update([lost], shared(Buffer.from('a')));
    await Promise.all([own.close(), taking.catch(() => undefined)]);
    await expect(own.update([lost], shared(Buffer.from('b')))).rejects.toThrow('ended');
    await expect(lost.copy().digest()).rejects.toThrow('ended');
    await expect(lost.digest()).rejects.toThrow('ended');
    dropped.drop();
    const next = own.start('sha256');
    await own.update([next], shared(Buffer.from('c')));
    expect(await hex(next)).toBe(expected('sha256', Buffer.from('c')));
  });

  /**
   * Adds the pieces to blocks. Returns the bytes that the work has read. The work waits for some
   * turns of the event loop before it reads a block.
   */
  async function seen(blocks: typeof SharedBlocks, pieces: readonly Uint8Array[]): Promise<Buffer> {
    const parts: Buffer[] = [];
    let turn = 0;
    const filled = new blocks(async (block) => {
      turn += 1;
      const own = turn;
      // Some blocks wait longer than others. The memory of a block must not change while the block
      // waits.
      for (let ticks = (own * 7) % 5; ticks > 0; ticks -= 1) await new Promise(setImmediate);
      parts[own] = Buffer.from(block);
    });
    for (const piece of pieces) await filled.add(piece);
    await filled.end();
    await filled.close();
    return Buffer.concat(parts.filter((part) => part !== undefined));
  }

  const pieces = [
    1,
    blockBytes - 1,
    blockBytes,
    5,
    6 * blockBytes + 3,
    0,
    100_000,
    9 * blockBytes,
  ].map((size) => randomBytes(size));

  test('passes all bytes in order in blocks that do not change while work uses them', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await seen(SharedBlocks, pieces)).equals(Buffer.concat(pieces))).toBe(true);
    }
  });

  test('would pass wrong bytes if it did not wait for the work', async () => {
    class Hasty extends SharedBlocks {
      constructor(work: (block: Uint8Array) => Promise<unknown>) {
        super(async (block) => void work(block));
      }
    }
    const found = await seen(Hasty, pieces);
    await new Promise(setImmediate);
    expect(found.equals(Buffer.concat(pieces))).toBe(false);
  });

  test('rejects with the error of failed work, at the end at the latest', async () => {
    const failing = () => {
      let turn = 0;
      return new SharedBlocks(async () => {
        turn += 1;
        if (turn === 2) throw new Error('full');
      });
    };
    const short = failing();
    await short.add(randomBytes(blockBytes + 1));
    await expect(short.end()).rejects.toThrow('full');
    await short.close();
    const long = failing();
    await expect(long.add(randomBytes(40 * blockBytes))).rejects.toThrow('full');
    await long.close();
  });

  test('shares few blocks among many files and passes all bytes of each', async () => {
    const used = new Set<ArrayBufferLike>();
    class Counted extends SharedBlocks {
      constructor(work: (block: Uint8Array) => Promise<unknown>) {
        super(async (block) => {
          used.add(block.buffer);
          await work(block);
        });
      }
    }
    const all = await Promise.all(Array.from({ length: 20 }, () => seen(Counted, pieces)));
    expect(all.every((bytes) => bytes.equals(Buffer.concat(pieces)))).toBe(true);
    expect(used.size).toBeLessThanOrEqual(24); // about one per file, not 80
  });
});
