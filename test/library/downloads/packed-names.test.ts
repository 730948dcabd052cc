import { describe, expect, test } from 'vitest';
import { packedNames, safeFileName } from '../../../src/core/library/packed-names.ts';

describe('the naming of files in a packed download', () => {
  test('keeps names that every operating system can store', () => {
    const names = ['Pokémon (Track 1).bin', 'Game (v1.02) [!].iso', '.hidden', 'a.tar.gz'];
    expect(packedNames(names)).toEqual(names);
  });

  test.each([
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['C:\\temp\\a.bin', 'C__temp_a.bin'],
    ['a\u0000b\n.bin', 'a_b_.bin'],
    ['what? "this" <is> a|b*.iso', 'what_ _this_ _is_ a_b_.iso'],
    ['..', '._'],
    ['dots...', 'dots.._'],
    ['nul.bin', '_nul.bin'],
    ['COM1', '_COM1'],
    ['\ud800.bin', '\ufffd.bin'],
    ['', '_'],
  ])('makes the name %j safe', (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
  });

  test('shortens a name that is too long, and keeps its ending', () => {
    const safe = safeFileName(`${'é'.repeat(300)}.iso`);
    expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(240);
    expect(safe).toMatch(/^é+\.iso$/);
  });

  test('numbers names that differ at most in case', () => {
    expect(packedNames(['a.bin', 'A.BIN', 'a (2).bin', 'a.bin', 'b', 'b'])).toEqual([
      ...['a.bin', 'A (2).BIN', 'a (2) (2).bin', 'a (3).bin', 'b', 'b (2)'],
    ]);
  });
});
