import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, zstdCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TrackedHashes } from '../../../src/core/library/library-file.ts';
import { crc16 } from '../../../src/disk/containers/chd/crc16.ts';
import { hashImage } from '../../../src/disk/hash/hash-image.ts';
import { identifyFile } from '../../../src/disk/identify.ts';
import { sound, withCorrection } from '../../support/images/cd-tracks.ts';
import { crc16ByBit, makeChd, makeOldChd } from '../../support/images/chd.ts';
import { makeIso } from '../../support/images/disc-images.ts';
import { createRandom, DamagedFiles, mutate, testMutants } from '../../support/images/mutants.ts';
import { makeRaw } from '../../support/images/packed-images.ts';
import { testSomeAndMany } from '../../support/some-and-many.ts';
import { runTool, toolsSkipReason } from '../../support/tools.ts';
import { imageFolder } from '../image-folder.ts';

const folder = imageFolder();
const skipReason = toolsSkipReason('xorriso', 'chdman');
const files = new Map<string, Buffer>();
const damaged = new DamagedFiles(folder);

beforeAll(() => {
  // With about 5 to 10 hunks, chdman 0.251 writes maps that chdman cannot read. These files have 20
  // or more hunks.
  const iso = makeIso({ 'SYSTEM.CNF': 'BOOT=cdrom:\\SLUS_012.34;1', 'A.BIN': sound(50) });
  folder.write(withCorrection(makeRaw(iso, 2)), 'data.bin');
  folder.write(sound(21), 'sound.bin');
  const data = 'FILE "data.bin" BINARY\n  TRACK 01 MODE2/2352\n    INDEX 01 00:00:00\n';
  const audio = 'FILE "sound.bin" BINARY\n  TRACK 02 AUDIO\n    INDEX 01 00:00:00\n';
  folder.write(data + audio, 'cd.cue');
  const source = folder.write(iso, 'image.iso');
  const make = (command: string, from: string, codec: string, options: readonly string[] = []) => {
    const to = join(folder.path, 'made.chd');
    runTool('chdman', [command, '-f', '-i', from, '-o', to, '-c', codec, ...options], folder.path);
    files.set(`${command} ${codec}`, readFileSync(to));
  };
  for (const codec of ['none', 'cdzl', 'cdlz', 'cdfl']) make('createcd', 'cd.cue', codec);
  const raw = ['-hs', '4096', '-us', '2048'];
  for (const codec of ['zlib', 'lzma', 'huff', 'flac']) make('createraw', source, codec, raw);
  const packed = zstdCompressSync;
  const form = { hunkBytes: 4096, unitBytes: 2048, codecs: ['zstd'] };
  files.set(
    'zstd',
    makeChd(iso, { ...form, pack: (hunk) => ({ codec: 0, packed: packed(hunk) }) }),
  );
  const pack = (hunk: Buffer) => ({ packed: deflateRawSync(hunk) });
  files.set('version 4', makeOldChd(iso, { hunkBytes: 4096, pack }));
});

/** Returns the hashes of a CHD, or null if the CHD is refused. Any other error fails the test. */
async function hash(path: string): Promise<TrackedHashes | null> {
  return hashImage(path, { container: 'chd' }).catch((error: Error) => {
    if (error.name === 'CatalogError') return null;
    throw error;
  });
}

describe.skipIf(skipReason !== null)(`damaged CHDs ${skipReason ?? ''}`, () => {
  testMutants(
    'are read, or refused and reported, if bytes change anywhere, $count times each',
    async (times) => {
      const random = createRandom(10);
      const change = (bytes: Buffer) => mutate(bytes, random, 124, 400);
      for (const whole of files.values()) {
        await damaged.each({ whole, change, times, name: 'case.chd' });
      }
      await damaged.expectReported();
    },
  );

  const inside = 'are refused or keep their hashes if packed data changes, $count times';
  testSomeAndMany(inside, { some: 8, many: 50 }, async (count) => {
    const random = createRandom(11);
    for (const [name, bytes] of files) {
      if (name.endsWith('none')) continue;
      const whole = await hash(folder.write(bytes, 'case.chd'));
      expect(whole, name).not.toBeNull();
      const start = name === 'version 4' ? 108 : 124;
      const end = name === 'version 4' ? bytes.length : Number(bytes.readBigUInt64BE(40));
      let refusals = 0;
      for (let i = 0; i < count; i += 1) {
        const changed = Buffer.from(bytes);
        const at = start + random(end - start);
        changed[at] = (changed[at] as number) ^ (1 << random(8));
        const hashes = await hash(folder.write(changed, 'case.chd'));
        if (hashes === null) refusals += 1;
        else expect(hashes, `${name} ${at}`).toEqual(whole);
      }
      expect(refusals, name).toBeGreaterThanOrEqual(count * 0.8);
    }
  });

  test('are refused when cut anywhere', async () => {
    for (const [name, bytes] of files) {
      for (let i = 1; i < 40; i += 1) {
        const path = folder.write(
          bytes.subarray(0, Math.floor((bytes.length * i) / 40)),
          'case.chd',
        );
        const { problem } = await identifyFile(path);
        // version 4 and uncompressed files have their data at the end
        const hasDataAtEnd = name === 'version 4' || name.endsWith('none');
        if (!hasDataAtEnd) expect(problem, `${name} ${i}`).not.toBeNull();
        expect(await hash(path), `${name} ${i}`).toBeNull();
      }
    }
  });
});

describe('the CHD reader', () => {
  test('calculates the CRC-16 as defined, for every length up to 399', () => {
    const bytes = sound(1);
    for (let length = 0; length < 400; length += 1) {
      const some = bytes.subarray(length % 5, (length % 5) + length);
      expect(crc16(some), `${length}`).toBe(crc16ByBit(some));
    }
    expect(crc16(bytes)).toBe(crc16ByBit(bytes));
  });
});
