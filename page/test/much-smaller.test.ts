import { describe, expect, test } from 'vitest';
import { isMuchSmaller } from '../src/release/much-smaller.ts';

const roms = [
  { name: 'Game (Track 1).bin', size: 600_000_000 },
  { name: 'Game (Track 2).bin', size: 20_000_000 },
];

describe('the warning about a small file', () => {
  test.each([
    ['a tenth of the largest ROM', { size: 60_000_000 }, false],
    ['a hundredth of the largest ROM', { size: 6_000_000 }, true],
    ['a quarter of its own ROM', { rom: 'Game (Track 2).bin', size: 5_000_000 }, false],
    ['a hundredth of its own ROM', { rom: 'Game (Track 2).bin', size: 200_000 }, true],
    ['a sheet', { name: 'Game.CUE', size: 90 }, false],
    ['proved by a hash', { method: 'crc32' as const, size: 90 }, false],
  ])('judges a file that is %s', (_, file, expected) => {
    const usual = { name: 'game.iso', rom: null, method: 'serial' as const };
    expect(isMuchSmaller({ ...usual, ...file }, roms)).toBe(expected);
  });

  test('judges no file of a release without ROMs', () => {
    expect(isMuchSmaller({ name: 'a.iso', rom: null, size: 1, method: 'name' }, [])).toBe(false);
  });
});
