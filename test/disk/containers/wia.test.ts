import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashImage } from '../../../src/disk/hash/hash-image.ts';
import { identifyFile } from '../../../src/disk/identify.ts';
import { createRandom, DamagedFiles, mutate, testMutants } from '../../support/images/mutants.ts';
import { gameCubeDisc, noise } from '../../support/images/nintendo-discs.ts';
import { makeRvz } from '../../support/images/packed-images.ts';
import { padding, sampleWiiDisc } from '../../support/images/wii-discs.ts';
import { runTool, toolsSkipReason } from '../../support/tools.ts';
import { hashesOf } from '../hashes-of.ts';
import { imageFolder } from '../image-folder.ts';

const folder = imageFolder();
const witSkipReason = toolsSkipReason('wit');
const withWit = describe.skipIf(witSkipReason !== null);
const dolphinSkipReason = toolsSkipReason('dolphin-tool');
/**
 * `dolphin-tool convert -f rvz -b 131072 -c zstd -l 9` (Dolphin 5.0-17995) made this file from
 * `sampleWiiDisc()`.
 */
const SAMPLE = join(import.meta.dirname, '../images', 'sample wii disc.rvz');

const wii = sampleWiiDisc();
/** A disc with noise, zeros, and padding that starts in the middle of its seed's sequence. */
const gameCube = gameCubeDisc('GTST01', {
  padding: Buffer.concat([noise(0x1a34, 3), padding(0x88000, 4).subarray(0x1a34)]),
});
const discs = { GameCube: gameCube, Wii: wii } as const;
const kinds = ['GameCube', 'Wii'] as const;

async function hashOf(path: string, disc: Buffer, container: 'rvz' | 'wia') {
  const identity = await identifyFile(path);
  expect(identity).toMatchObject({ container, imageSize: disc.length, problem: null });
  expect(await hashImage(path, identity)).toEqual(hashesOf(disc));
}

describe('the reader of WIA and RVZ', () => {
  test('restores a Wii disc from an RVZ made by Dolphin', async () => {
    expect(readFileSync(SAMPLE).length).toBeLessThan(wii.length / 30);
    await hashOf(SAMPLE, wii, 'rvz');
  });
});

function byWit(disc: Buffer, compression: string): string {
  const from = folder.write(disc, 'source.iso');
  const to = join(folder.path, 'made.wia');
  const form = ['--psel', 'raw', '--overwrite', '--wia', '--compression', compression];
  runTool('wit', ['copy', ...form, from, '-d', to]);
  return to;
}

withWit(`the disc in a WIA made by wit ${witSkipReason ?? ''}`, () => {
  const methods = ['none', 'purge', 'bzip2', 'lzma', 'lzma2', 'bzip2.9@20', 'lzma2.1@10'];
  const cases = kinds.flatMap((kind) => methods.map((method) => [kind, method] as const));
  for (const [kind, method] of cases) {
    const isQuick = (kind === 'Wii') === (method === 'lzma2');
    test(`is restored: ${kind}, ${method}`, {
      tags: isQuick && !method.includes('.') ? [] : ['full'],
    }, async () => {
      await hashOf(byWit(discs[kind], method), discs[kind], 'wia');
    });
  }
});

describe.skipIf(dolphinSkipReason !== null)(
  `the disc in an RVZ or WIA made by Dolphin ${dolphinSkipReason ?? ''}`,
  () => {
    const forms = [
      ['rvz', 'none', 131072],
      ['rvz', 'zstd', 32768],
      ['rvz', 'zstd', 2097152],
      ['rvz', 'lzma', 131072],
      ['rvz', 'lzma2', 1048576],
      ['wia', 'none', 2097152],
      ['wia', 'lzma', 2097152],
      ['wia', 'lzma2', 2097152],
    ] as const;
    const cases = kinds.flatMap((kind) => forms.map((form) => [kind, ...form] as const));
    for (const [kind, container, method, chunk] of cases) {
      const isQuick = kind === 'Wii' ? chunk === 32768 : method === 'lzma';
      const tags = isQuick ? [] : (['full'] as 'full'[]);
      test(`is restored: ${kind}, ${container}, ${method}, ${chunk}`, { tags }, async () => {
        const from = folder.write(discs[kind], 'source.iso');
        const to = join(folder.path, `made.${container}`);
        const user = join(folder.path, 'user');
        mkdirSync(user, { recursive: true });
        const form = ['-f', container, '-c', method, '-b', `${chunk}`, '-u', user];
        const level = method === 'none' ? [] : ['-l', '5'];
        runTool('dolphin-tool', ['convert', '-i', from, '-o', to, ...form, ...level]);
        await hashOf(to, discs[kind], container);
      });
    }
  },
);

describe('the reader of a hostile RVZ', () => {
  test('refuses sizes, counts and a compression method that no disc has', async () => {
    const rvz = makeRvz(gameCube.subarray(0, 0x100000));
    const cases: [at: number, value: number][] = [
      [0x48 + 0x0c, 0x10000000], // size of a chunk
      [0x48 + 0x0c, 0x30000],
      [0x48 + 0x0c, 0],
      [0x24, 0x1000], // size of the disc
      [0x48 + 0x90, 0x7fffffff], // number of partitions
      [0x48 + 0xb4, 0x7fffffff], // number of areas
      [0x48 + 0xc4, 0x7fffffff], // number of groups
      [0x48 + 0xd0, 0x7fffffff],
      [0x48 + 4, 99], // compression method
    ];
    for (const [at, value] of cases) {
      const damaged = Buffer.from(rvz);
      damaged.writeUInt32BE(value, at);
      const hashes = hashImage(folder.write(sealed(damaged)), { container: 'rvz' });
      await expect(hashes, `${at}`).rejects.toMatchObject({ kind: 'refused' });
    }
  });
});

withWit(`damaged WIA and RVZ files ${witSkipReason ?? ''}`, () => {
  const files = new Map<string, Buffer>();
  beforeAll(() => {
    const small = gameCubeDisc('GTST01', { size: 0x118000, padding: padding(0x8000, 1) });
    for (const method of ['purge', 'bzip2', 'lzma', 'lzma2']) {
      files.set(method, readFileSync(byWit(small, method)));
    }
    files.set('RVZ', makeRvz(small));
    files.set('Wii', readFileSync(SAMPLE));
  });

  testMutants('are read, or refused and reported, $count of each', async (times) => {
    const random = createRandom(30);
    const damaged = new DamagedFiles(folder);
    const change = (bytes: Buffer) => {
      const changed = mutate(bytes, random, 0x200);
      return random(2) === 0 ? sealed(changed) : changed;
    };
    for (const whole of files.values()) await damaged.each({ whole, change, times });
    await damaged.expectReported();
  });

  test('are refused when cut anywhere', async () => {
    for (const [name, bytes] of files) {
      for (let i = 1; i < 20; i += 1) {
        const part = bytes.subarray(0, Math.floor((bytes.length * i) / 20));
        const path = folder.write(part, 'case.xyz');
        expect((await identifyFile(path)).problem, `${name} ${i}`).not.toBeNull();
        await expect(hashImage(path, { container: 'rvz' })).rejects.toMatchObject({
          kind: 'refused',
        });
      }
    }
  });

  test('are refused or keep their hashes if a bit of checksummed data changes', async () => {
    const random = createRandom(31);
    for (const method of ['purge', 'bzip2']) {
      const bytes = files.get(method) as Buffer;
      const whole = await hashImage(folder.write(bytes), { container: 'wia' });
      for (let i = 0; i < 40; i += 1) {
        const changed = Buffer.from(bytes);
        const at = 0x124 + random(bytes.length - 0x124);
        changed[at] = (changed[at] ?? 0) ^ (1 << random(8));
        const hashes = await hashImage(folder.write(changed, 'case.wia'), {
          container: 'wia',
        }).catch(() => whole);
        expect(hashes, `${method} ${at}`).toEqual(whole);
      }
    }
  });
});

/**
 * Recalculates the checksums of both headers and of the partition table, if the file contains them.
 */
function sealed(file: Buffer): Buffer {
  const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest();
  if (file.length < 0x124) return file;
  const disc = file.subarray(0x48, 0x48 + 0xdc);
  const at = Number(disc.readBigUInt64BE(0x98));
  const size = disc.readUInt32BE(0x90) * disc.readUInt32BE(0x94);
  if (at + size <= file.length) sha1(file.subarray(at, at + size)).copy(disc, 0xa0);
  sha1(disc).copy(file, 0x10);
  sha1(file.subarray(0, 0x34)).copy(file, 0x34);
  return file;
}
