import { describe, expect, onTestFinished, test } from 'vitest';
import { hashImage } from '../../src/disk/hash/hash-image.ts';
import { identifyFile } from '../../src/disk/identify.ts';
import { endIdleThread } from '../../src/disk/unpack/unpack-thread.ts';
import { makeRar5 } from '../support/images/rar.ts';
import { imageFolder } from './image-folder.ts';

const folder = imageFolder();

describe('the unpacking thread', () => {
  test('reuses one thread and its piece buffers for small archives in a row', async () => {
    let threads = 0;
    let shared = 0;
    const countThread = () => {
      threads += 1;
    };
    const Real = globalThis.SharedArrayBuffer;
    globalThis.SharedArrayBuffer = new Proxy(Real, {
      construct(target, args) {
        shared += 1;
        return Reflect.construct(target, args);
      },
    });
    process.on('worker', countThread);
    onTestFinished(async () => {
      globalThis.SharedArrayBuffer = Real;
      process.off('worker', countThread);
      await endIdleThread();
    });
    await endIdleThread();
    const bytes = makeRar5([
      { name: 'a.bin', content: Buffer.from('some bytes') },
      { name: 'b.bin', content: Buffer.from('others') },
    ]);
    for (let i = 0; i < 3; i += 1) {
      const path = folder.write(bytes, `${i}.rar`);
      expect((await hashImage(path, await identifyFile(path))).inside?.members).toHaveLength(2);
    }
    expect({ threads, shared }).toEqual({ threads: 1, shared: 2 });
  });
});
