import { describe, expect, test } from 'vitest';
import { readDiscArt } from '../../src/disk/disc-art.ts';
import { makeIso, png } from '../support/disc-images.ts';
import { makeCso, makeDax, makePbp, makeRaw } from '../support/packed-images.ts';
import { lackOf } from '../support/tools.ts';
import { imageFolder } from './image-folder.ts';

const folder = imageFolder();
const lacking = lackOf('xorriso');
const artOf = (content: Buffer) => readDiscArt(folder.write(content));

describe.skipIf(lacking !== null)(`art on discs ${lacking ?? ''}`, () => {
  const icon = png(40_000);
  const large = png(2_500_000);

  test('ICON0.PNG of a game, plain, packed and raw', async () => {
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

  test('a PIC0.PNG of several reads, where ICON0.PNG is none', async () => {
    const files = { 'UMD_VIDEO/ICON0.PNG': 'GIF89a that lies', 'UMD_VIDEO/PIC0.PNG': large };
    const iso = makeIso(files, { sysid: 'UMD VIDEO' });
    for (const image of [iso, makeCso(iso), makeDax(iso)]) {
      const art = await artOf(image);
      expect(art?.name).toBe('PIC0.PNG');
      expect(art?.bytes.equals(large)).toBe(true);
    }
  });

  test('no picture, one that is too large, and one that is cut are none', async () => {
    expect(await artOf(makeIso({ 'PSP_GAME/PARAM.SFO': 'x' }))).toBeNull();
    const tooLarge = makeIso({ 'PSP_GAME/ICON0.PNG': png(10 * 1024 * 1024 + 1) });
    expect(await artOf(tooLarge)).toBeNull();
    const whole = makeIso({ 'PSP_GAME/ICON0.PNG': large });
    expect(await artOf(whole.subarray(0, whole.length - 1_000_000))).toBeNull();
  });
});

test('the pictures of an EBOOT.PBP', async () => {
  const icon = png(500);
  const none = Buffer.alloc(0);
  const pbp = (first: Buffer, second: Buffer) => makePbp([none, first, none, second, none]);
  expect(await artOf(pbp(icon, none))).toEqual({ name: 'ICON0.PNG', bytes: icon });
  expect(await artOf(pbp(none, icon))).toEqual({ name: 'PIC0.PNG', bytes: icon });
  expect(await artOf(pbp(none, none))).toBeNull();
});

test('what is no image has none, a missing file is an error', async () => {
  expect(await artOf(Buffer.alloc(0))).toBeNull();
  expect(await artOf(Buffer.alloc(100_000, 'CISO'))).toBeNull();
  await expect(readDiscArt('/nowhere/at all')).rejects.toMatchObject({ code: 'ENOENT' });
});
