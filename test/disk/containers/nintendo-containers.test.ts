import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { adler32 } from '../../../src/disk/containers/nintendo/gcz.ts';
import { sparseImage } from '../../../src/disk/containers/nintendo/sparse-image.ts';
import { hashImage } from '../../../src/disk/hash/hash-image.ts';
import { identifyFile } from '../../../src/disk/identify.ts';
import type { ImageBytes } from '../../../src/disk/image-bytes.ts';
import { nintendoImage } from '../../support/images/disc-images.ts';
import { createRandom, DamagedFiles, mutate, testMutants } from '../../support/images/mutants.ts';
import { gameCubeDisc, noise } from '../../support/images/nintendo-discs.ts';
import { makeGcz } from '../../support/images/packed-images.ts';
import { runTool, toolsSkipReason } from '../../support/tools.ts';
import { hashesOf } from '../hashes-of.ts';
import { imageFolder } from '../image-folder.ts';

const folder = imageFolder();
const witSkipReason = toolsSkipReason('wit');
const withWit = describe.skipIf(witSkipReason !== null);
const dolphinSkipReason = toolsSkipReason('dolphin-tool');
const header = { disc: 'gamecube', serial: 'GTST01', title: 'A game', problem: null };
const edition = { disc: 2, revision: 2 };

/** A disc with incompressible blocks and blocks of zeros. */
const disc = gameCubeDisc('GTST01', { padding: noise(0x150000) });

function converted(form: string, image: Buffer, options = ['--psel', 'raw']): string {
  const from = folder.write(image, 'source.iso');
  const to = join(folder.path, `made by wit.${form}`);
  runTool('wit', ['copy', ...options, '--overwrite', `--${form}`, from, '-d', to]);
  return to;
}

withWit(`files made by wit ${witSkipReason ?? ''}`, () => {
  test.each(['gcz', 'wdf1', 'wdf2'])(
    'are identified, and have the hashes of the original disc: %s',
    async (form) => {
      const path = converted(form, disc);
      const identity = await identifyFile(path);
      const container = form.slice(0, 3);
      expect(identity).toMatchObject({ ...header, container, edition, imageSize: disc.length });
      expect(identity.unrestorable).toBeUndefined();
      expect(await hashImage(path, identity)).toEqual(hashesOf(disc));
    },
  );

  test.each(['ciso', 'wbfs'])(
    'are identified, and reported to leave out blocks of the disc: %s',
    async (form) => {
      const sparse = gameCubeDisc('GTST01', { size: 0xa00000 });
      sparse.writeUInt32BE(0x900000, 0x40000 + 16);
      noise(0x10000).copy(sparse, 0x900000);
      const identity = await identifyFile(converted(form, sparse, []));
      expect(identity).toMatchObject({ ...header, container: form, edition, imageSize: null });
      expect(identity.unrestorable).toMatch(/^it leaves out \d blocks of the disc/);
    },
  );

  test('are identified by either file of a split WBFS, but not by a later file alone', async () => {
    const whole = readFileSync(converted('wbfs', disc));
    const parts = [
      folder.write(whole.subarray(0, 0x500000), 'split.wbfs'),
      folder.write(whole.subarray(0x500000), 'split.wbf1'),
    ];
    const reasons = ['it goes on in another file', 'it begins in another file'];
    for (const [i, part] of parts.entries()) {
      const found = await identifyFile(part);
      expect(found).toMatchObject({ ...header, container: 'wbfs', unrestorable: reasons[i] });
    }
    const alone = await folder.identify(whole.subarray(0x500000), 'alone.wbf1');
    expect(alone).toMatchObject({ container: 'unknown', serial: null });
  });
});

describe('the reader of Nintendo containers', () => {
  test.skipIf(dolphinSkipReason !== null)(
    `restores the disc from a GCZ made by Dolphin ${dolphinSkipReason ?? ''}`,
    async () => {
      const odd = disc.subarray(0, disc.length - 0x1000);
      const to = join(folder.path, 'dolphin.gcz');
      const from = folder.write(odd, 'odd.iso');
      const user = join(folder.path, 'user');
      mkdirSync(user, { recursive: true });
      const options = ['-f', 'gcz', '-b', '131072', '-u', user];
      runTool('dolphin-tool', ['convert', '-i', from, '-o', to, ...options]);
      const identity = await identifyFile(to);
      expect(identity).toMatchObject({ ...header, container: 'gcz', imageSize: odd.length });
      expect(await hashImage(to, identity)).toEqual(hashesOf(odd));
    },
  );

  describe('a synthetic GCZ', () => {
    test('is read with a short last block, and refused with a damaged stored block', async () => {
      const odd = disc.subarray(0, disc.length - 5000);
      const gcz = makeGcz(odd);
      expect(await hashImage(folder.write(gcz), { container: 'gcz' })).toEqual(hashesOf(odd));
      gcz[gcz.indexOf(noise(64))] = 0x77;
      const damaged = hashImage(folder.write(gcz), { container: 'gcz' });
      await expect(damaged).rejects.toMatchObject({ kind: 'refused' });
    });
  });

  describe('an NKit', () => {
    const nkit = (kind: 'gamecube' | 'wii') => {
      const head = nintendoImage('GTST01', 'A game', kind);
      head.write('NKIT v01', 0x200, 'latin1');
      head.writeUInt32BE(0x00c0ffee, 0x208);
      head.writeUInt32BE(0x57058000, 0x210);
      return head;
    };

    test('states the CRC-32 and size of the original disc, also within a GCZ', async () => {
      for (const [container, pack] of Object.entries({ nkit: (b: Buffer) => b, gcz: makeGcz })) {
        const stated = { crc32: '00c0ffee', size: 0x57058000 };
        expect(await folder.identify(pack(nkit('gamecube')))).toMatchObject({
          ...header,
          container,
          imageSize: stated.size,
          statedImage: stated,
          unrestorable: 'it is an NKit, which leaves out what can be made again',
        });
        const wii = { ...stated, size: 4 * stated.size };
        expect((await folder.identify(pack(nkit('wii')))).statedImage).toEqual(wii);
      }
    });

    test('is recognised in another version, but states no original image', async () => {
      const head = nkit('wii');
      head.write(' v02', 0x204, 'latin1');
      const identity = await folder.identify(head);
      expect(identity.statedImage).toBeUndefined();
      expect(identity).toMatchObject({ container: 'nkit', imageSize: null });
    });
  });

  test('takes the size of a sparse disc from its last block, or from the full disc size', () => {
    const blockSize = 2 * 1024 * 1024;
    const of = (blocks: number, size: number) => {
      const file: ImageBytes = { size, read: async (_, length) => Buffer.alloc(length) };
      const places = Array.from({ length: blocks }, (_, i) => 0x8000 + i * blockSize);
      return sparseImage(file, { blockSize, places });
    };
    const whole = of(697, 0x8000 + 697 * blockSize);
    expect(whole).toMatchObject({ size: 1_459_978_240, unrestorable: undefined });
    expect(of(2, 0x8000 + blockSize + 5)).toMatchObject({
      size: blockSize + 5,
      unrestorable: undefined,
    });
    expect(of(2, 0x8000 + 2 * blockSize).unrestorable).toBe('it does not say where the disc ends');
  });

  withWit(`damaged GCZ, WDF, CISO and WBFS files ${witSkipReason ?? ''}`, () => {
    const files = new Map<string, Buffer>();
    beforeAll(() => {
      const small = gameCubeDisc('GTST01', { size: 0x120000, padding: noise(0x9000) });
      for (const form of ['gcz', 'wdf1', 'wdf2', 'ciso', 'wbfs']) {
        files.set(form, readFileSync(converted(form, small)));
      }
      files.set('GCZ by hand', makeGcz(small.subarray(0, 0x11f000)));
    });

    testMutants('are read, or refused and reported, $count of each', async (times) => {
      const random = createRandom(20);
      const damaged = new DamagedFiles(folder);
      const change = (bytes: Buffer) => mutate(bytes, random, 512);
      for (const whole of files.values()) await damaged.each({ whole, change, times });
      await damaged.expectReported();
    });

    test('are refused or reported when cut anywhere, except CISO and WBFS', async () => {
      for (const [form, bytes] of files) {
        if (form === 'ciso' || form === 'wbfs') continue;
        for (let i = 1; i < 40; i += 1) {
          const path = folder.write(
            bytes.subarray(0, Math.floor((bytes.length * i) / 40)),
            'case.xyz',
          );
          const identity = await identifyFile(path);
          const isReported = await hashImage(path, identity).then(
            () => identity.problem !== null,
            () => true,
          );
          expect(isReported, `${form} ${i}`).toBe(true);
        }
      }
    });
  });

  test('calculates the same Adler-32 as zlib', () => {
    for (const size of [0, 1, 100, 5552, 5553, 200_000]) {
      const bytes = noise(size, size);
      expect(adler32(bytes), `${size}`).toBe(
        deflateSync(bytes).readUInt32BE(deflateSync(bytes).length - 4),
      );
    }
  });
});
