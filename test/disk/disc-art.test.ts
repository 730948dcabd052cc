import { describe, expect, test } from 'vitest';
import { readDiscArt } from '../../src/disk/disc-art.ts';
import { makeIso, randomPng } from '../support/images/disc-images.ts';
import { makeCso, makeDax, makePbp, makeRaw } from '../support/images/packed-images.ts';
import { toolsSkipReason } from '../support/tools.ts';
import { imageFolder } from './image-folder.ts';

const folder = imageFolder();
const skipReason = toolsSkipReason('xorriso');
const artOf = (content: Buffer) => readDiscArt(folder.write(content));

describe.skipIf(skipReason !== null)(`the art of a disc ${skipReason ?? ''}`, () => {
  const icon = randomPng(40_000);
  const large = randomPng(2_500_000);

  test('is ICON0.PNG of a game, from plain, packed and raw images', async () => {
    const iso = makeIso({ 'PSP_GAME/ICON0.PNG': icon, 'PSP_GAME/PIC0.PNG': large });
    const packed = [
      iso,
      makeCso(iso),
      makeCso(iso, { magic: 'ZISO' }),
      makeDax(iso),
      makeRaw(iso, 1),
    ];
    for (const image of packed) {
      expect(await artOf(image)).toEqual({ name: 'ICON0.PNG', bytes: icon });
    }
  });

  test('is PIC0.PNG, read in several steps, if ICON0.PNG is not a PNG', async () => {
    const files = { 'UMD_VIDEO/ICON0.PNG': 'GIF89a that lies', 'UMD_VIDEO/PIC0.PNG': large };
    const iso = makeIso(files, { sysid: 'UMD VIDEO' });
    for (const image of [iso, makeCso(iso), makeDax(iso)]) {
      const art = await artOf(image);
      expect(art?.name).toBe('PIC0.PNG');
      expect(art?.bytes.equals(large)).toBe(true);
    }
  });

  test('is null if there is no picture, or if it is too large or cut', async () => {
    expect(await artOf(makeIso({ 'PSP_GAME/PARAM.SFO': 'x' }))).toBeNull();
    const tooLarge = makeIso({ 'PSP_GAME/ICON0.PNG': randomPng(10 * 1024 * 1024 + 1) });
    expect(await artOf(tooLarge)).toBeNull();
    const whole = makeIso({ 'PSP_GAME/ICON0.PNG': large });
    expect(await artOf(whole.subarray(0, whole.length - 1_000_000))).toBeNull();
  });
});

describe('the reader of disc art', () => {
  test('reads the pictures of an EBOOT.PBP', async () => {
    const icon = randomPng(500);
    const none = Buffer.alloc(0);
    const pbp = (first: Buffer, second: Buffer) => makePbp([none, first, none, second, none]);
    expect(await artOf(pbp(icon, none))).toEqual({ name: 'ICON0.PNG', bytes: icon });
    expect(await artOf(pbp(none, icon))).toEqual({ name: 'PIC0.PNG', bytes: icon });
    expect(await artOf(pbp(none, none))).toBeNull();
  });

  test('returns null for a file that is not an image, and fails for a missing file', async () => {
    expect(await artOf(Buffer.alloc(0))).toBeNull();
    expect(await artOf(Buffer.alloc(100_000, 'CISO'))).toBeNull();
    await expect(readDiscArt('/nowhere/at all')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
