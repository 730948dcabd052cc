import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hashImage } from '../../../src/disk/hash/hash-image.ts';
import { hashDump } from '../../../src/disk/hash/hash-stream.ts';
import { identifyFile } from '../../../src/disk/identify.ts';
import { dumps } from '../../support/images/cartridges.ts';
import { createRandom, DamagedFiles, mutate, testMutants } from '../../support/images/mutants.ts';
import { hashesOf } from '../hashes-of.ts';
import { imageFolder } from '../image-folder.ts';

const folder = imageFolder();

async function hash(bytes: Buffer) {
  const path = folder.write(bytes);
  return hashImage(path, await identifyFile(path));
}

describe('hashes of a cartridge dump', () => {
  test.each(dumps())('include the form that DATs list: $what', async ({ bytes, listed }) => {
    const { forms, ...own } = await hash(bytes);
    expect(own).toEqual(hashesOf(bytes));
    expect(forms).toContainEqual(expect.objectContaining(hashesOf(listed)));
  });

  test.each(dumps())('do not depend on the chunk size: $what', async ({ bytes, listed }) => {
    const path = folder.write(bytes);
    const pieces = createReadStream(path, { highWaterMark: 1237 });
    const { forms } = await hashDump(pieces, bytes.length, {});
    expect(forms).toContainEqual(expect.objectContaining(hashesOf(listed)));
  });
});

describe('the reader of cartridge dumps', () => {
  test('calculates no further hashes for a dump in the form that DATs list', async () => {
    const [v64, , , gba] = dumps().slice(-6);
    for (const dump of [v64, gba]) {
      const { listed } = dump ?? expect.fail('no dump');
      expect(await hash(listed)).toEqual({ ...hashesOf(listed), forms: [] });
    }
  });

  test('calculates no further hashes for a file that is not a cartridge dump', async () => {
    for (const bytes of [randomBytes(64 * 1024), randomBytes(512), Buffer.alloc(0)]) {
      expect((await hash(bytes)).forms).toBeUndefined();
    }
    const disc = Buffer.alloc(1024 * 100 + 512);
    disc.write('\x01CD001\x01', 0x8000, 'latin1');
    disc.write('PSP GAME', 0x8008, 'latin1');
    expect(await identifyFile(folder.write(disc))).not.toMatchObject({ container: 'copier' });
  });

  test('leaves an incomplete word at the end of a dump as it is', async () => {
    const bytes = Buffer.concat([Buffer.from('37804012', 'hex'), Buffer.from('abcdefghijklmno')]);
    const listed = Buffer.concat([Buffer.from('80371240', 'hex'), Buffer.from('badcfehgjilknmo')]);
    expect((await hash(bytes)).forms).toMatchObject([{ form: 'big-endian', ...hashesOf(listed) }]);
  });
});

describe('damaged cartridge dumps', () => {
  const random = createRandom(7);
  const damaged = new DamagedFiles(folder);
  const change = (bytes: Buffer) => mutate(bytes.subarray(0, 20_000), random, 512);
  testMutants('are identified and hashed without an error, $count in all', async (count) => {
    const times = Math.ceil(count / dumps().length);
    for (const { bytes: whole } of dumps())
      await damaged.each({
        whole,
        change,
        times,
        check({ forms: _forms, ...own }, changed) {
          expect(own).toEqual(hashesOf(changed));
        },
      });
  });
});
