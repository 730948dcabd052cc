import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { hashImage } from '../../src/disk/hash/hash-image.ts';
import { identifyFile } from '../../src/disk/identify.ts';
import { paramSfo } from '../support/images/disc-images.ts';
import { makeCso, makeDax, makePsxPbp, makeRaw, makeRvz } from '../support/images/packed-images.ts';
import { runTool, toolsSkipReason } from '../support/tools.ts';
import { hashesOf } from './hashes-of.ts';
import { imageFolder } from './image-folder.ts';

const folder = imageFolder();
const skipReason = toolsSkipReason('zip');
// The size is not a multiple of any block size. Half of the image is incompressible.
const image = Buffer.concat([randomBytes(1_600_000), Buffer.alloc(1_700_123, 'repeats itself ')]);

async function hash(path: string, options?: Parameters<typeof hashImage>[2]) {
  return hashImage(path, await identifyFile(path), options);
}

describe('the image inside a packed file', () => {
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
  test.each(packed)('is hashed: %s', async (_, file) => {
    expect(await hash(folder.write(file))).toEqual(hashesOf(image));
  });

  test.each(packed)('is refused if the file is cut: %s', async (_, file) => {
    const path = folder.write(file.subarray(0, file.length - 3000));
    await expect(hash(path)).rejects.toMatchObject({ name: 'CatalogError', kind: 'refused' });
  });
});

describe('the PlayStation disc in an EBOOT.PBP', () => {
  const sfo = paramSfo({ DISC_ID: 'SLUS00922', CATEGORY: 'ME' });
  /**
   * Returns a disc of 67 sectors, which do not fill the last block. The volume descriptor states
   * `stated` sectors.
   */
  const disc = (stated = 67) => {
    const iso = Buffer.concat([Buffer.alloc(16 * 2048), randomBytes(51 * 2048)]);
    iso.write('\x01CD001\x01', 16 * 2048, 'latin1');
    iso.writeUInt32LE(stated, 16 * 2048 + 80);
    return makeRaw(iso, 2);
  };
  const hashed = async (file: Buffer) => hash(folder.write(file));

  test('is hashed without zeros after the sectors that its volume descriptor states', async () => {
    const raw = disc();
    const everyOther = (block: Buffer, i: number) => (i % 2 === 0 ? deflateRawSync(block) : block);
    for (const file of [makePsxPbp(sfo, raw), makePsxPbp(sfo, raw, everyOther)]) {
      expect(await folder.identify(file)).toMatchObject({
        ...{ container: 'pbp', disc: 'psx', serial: 'SLUS-00922' },
        ...{ imageSize: raw.length, problem: null },
      });
      expect(await hashed(file)).toEqual(hashesOf(raw));
    }
  });

  test('is refused if it is cut or a block cannot be unpacked', async () => {
    const file = makePsxPbp(sfo, disc(), (block, i) => (i === 3 ? randomBytes(99) : block));
    await expect(hashed(file)).rejects.toThrow('a block cannot be unpacked');
    const whole = makePsxPbp(sfo, disc());
    for (const length of [whole.length - 9, 0x100000, 0x4000, 0x400]) {
      const cut = whole.subarray(0, length);
      const problem = expect.stringMatching('it is cut');
      expect(await folder.identify(cut)).toMatchObject({ serial: 'SLUS-00922', problem });
      await expect(hashed(cut)).rejects.toThrow('it is cut');
    }
  });

  const encrypted = makePsxPbp(sfo, disc());
  encrypted.write('\0PGD', encrypted.indexOf('PSISOIMG') + 0x400, 'latin1');
  const several = makePsxPbp(sfo, disc());
  several.write('PSTITLEI', several.indexOf('PSISOIMG'), 'latin1');
  test.each([
    ['an encrypted PBP', encrypted],
    ['a PBP with several discs', several],
    ['a PBP that states more sectors than it has', makePsxPbp(sfo, disc(81))],
    ['a PBP that states no sectors', makePsxPbp(sfo, disc(0))],
    ['a PBP that states more sectors than a file can have', makePsxPbp(sfo, disc(2 ** 32 - 1))],
    ['a PBP without a file system', makePsxPbp(sfo, makeRaw(Buffer.alloc(67 * 2048), 2))],
  ])('is not unpacked from %s, whose own bytes are hashed', async (_, file) => {
    expect(await folder.identify(file)).toMatchObject({ serial: 'SLUS-00922', imageSize: null });
    expect(await hashed(file)).toEqual(hashesOf(file));
  });
});

describe('hashImage', () => {
  test('hashes the file itself for plain images and empty files', async () => {
    const files = [image, Buffer.alloc(0), Buffer.from('FILE list')];
    for (const file of files) expect(await hash(folder.write(file))).toEqual(hashesOf(file));
  });

  describe.skipIf(skipReason !== null)(`of a zip ${skipReason ?? ''}`, () => {
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
    ])(
      'hashes every member, and returns the hashes of the largest image: %s',
      async (name, options) => {
        const { inside, ...hashes } = await hash(zipped(name, options));
        expect(hashes).toEqual(hashesOf(image));
        expect(inside?.members.map((member) => member.hashes)).toEqual([
          hashesOf(image),
          hashesOf(Buffer.from('second')),
        ]);
      },
    );

    test('refuses a damaged, encrypted or cut file', async () => {
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

  test('reports progress in pieces of at most 1 MiB, and stops when aborted', async () => {
    const path = folder.write(image);
    const pieces: number[] = [];
    await hash(path, { onBytes: (bytes) => pieces.push(bytes) });
    expect(pieces.reduce((sum, bytes) => sum + bytes, 0)).toBe(image.length);
    expect(Math.max(...pieces)).toBe(1024 * 1024);

    const abort = new AbortController();
    let readBytes = 0;
    const onBytes = (bytes: number) => {
      readBytes += bytes;
      abort.abort(new Error('enough'));
    };
    await expect(hash(path, { signal: abort.signal, onBytes })).rejects.toThrow('enough');
    expect(readBytes).toBe(1024 * 1024);
    await expect(hash(path, { signal: AbortSignal.abort(new Error('at once')) })).rejects.toThrow(
      'at once',
    );
  });
});
