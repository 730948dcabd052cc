import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashImage } from '../../src/disk/hash-image.ts';
import { identifyFile } from '../../src/disk/identify.ts';
import { makeCso, makeDax, makeRvz } from '../support/packed-images.ts';
import { lackOf, runTool } from '../support/tools.ts';
import { hashesOf } from './hashes-of.ts';
import { imageFolder } from './image-folder.ts';

const folder = imageFolder();
const lacking = lackOf('zip');
// not a multiple of any block size; half of it cannot be packed
const image = Buffer.concat([randomBytes(1_600_000), Buffer.alloc(1_700_123, 'repeats itself ')]);

async function hash(path: string, options?: Parameters<typeof hashImage>[2]) {
  return hashImage(path, await identifyFile(path), options);
}

describe('the image inside', () => {
  const packed: [string, Buffer][] = [
    ['CSO', makeCso(image)],
    ['CSO with large blocks and a shift', makeCso(image, { blockSize: 65536, shift: 6 })],
    ['CSO version 2', makeCso(image, { version: 2, blockSize: 4096 })],
    ['ZSO', makeCso(image, { magic: 'ZISO' })],
    ['DAX', makeDax(image)],
    ['RVZ', makeRvz(image, 'RVZ')],
    ['WIA', makeRvz(image, 'WIA')],
    ['DAX with its frames backwards', makeDax(image, [], true)],
    ['DAX with its last frames stored', makeDax(image, [[300, 200]])],
  ];
  test.each(packed)('%s', async (_, file) => {
    expect(await hash(folder.write(file))).toEqual(hashesOf(image));
  });

  test.each(packed)('%s that is cut is refused', async (_, file) => {
    const path = folder.write(file.subarray(0, file.length - 3000));
    await expect(hash(path)).rejects.toMatchObject({ name: 'CatalogError', kind: 'refused' });
  });
});

test('the file itself for plain images and what is empty', async () => {
  const files = [image, Buffer.alloc(0), Buffer.from('FILE list')];
  for (const file of files) expect(await hash(folder.write(file))).toEqual(hashesOf(file));
});

describe.skipIf(lacking !== null)(`zip ${lacking ?? ''}`, () => {
  const zipped = (name: string, options: string[]) => {
    folder.write(image, 'b first.bin');
    folder.write('second', 'a second.bin');
    const path = join(folder.path, name);
    runTool('zip', [...options, path, 'b first.bin', 'a second.bin'], folder.path);
    return path;
  };

  test.each([
    ['deflated.zip', ['-6']],
    ['stored.zip', ['-0']],
    ['zip64.zip', ['-fz']],
  ])('every member, of which the largest image counts: %s', async (name, options) => {
    const { inside, ...hashes } = await hash(zipped(name, options));
    expect(hashes).toEqual(hashesOf(image));
    expect(inside?.members.map((member) => member.hashes)).toEqual([
      hashesOf(image),
      hashesOf(Buffer.from('second')),
    ]);
  });

  test('damage, encryption and a cut are refused', async () => {
    const { readFileSync } = await import('node:fs');
    const bytes = readFileSync(zipped('damaged.zip', ['-0']));
    bytes[500_000] = (bytes[500_000] ?? 0) ^ 1;
    await expect(hash(folder.write(bytes))).rejects.toThrow('CRC-32');
    await expect(hash(zipped('secret.zip', ['-P', 'x']))).rejects.toThrow('encrypted');
    await expect(hash(folder.write(bytes.subarray(0, 1_000_000)))).rejects.toMatchObject({
      kind: 'refused',
    });
  });
});

test('tells each piece, at most 1 MiB, and stops when aborted', async () => {
  const path = folder.write(image);
  const pieces: number[] = [];
  await hash(path, { onBytes: (bytes) => pieces.push(bytes) });
  expect(pieces.reduce((sum, bytes) => sum + bytes, 0)).toBe(image.length);
  expect(Math.max(...pieces)).toBe(1024 * 1024);

  const abort = new AbortController();
  let told = 0;
  const onBytes = (bytes: number) => {
    told += bytes;
    abort.abort(new Error('enough'));
  };
  await expect(hash(path, { signal: abort.signal, onBytes })).rejects.toThrow('enough');
  expect(told).toBe(1024 * 1024);
  await expect(hash(path, { signal: AbortSignal.abort(new Error('at once')) })).rejects.toThrow(
    'at once',
  );
});
