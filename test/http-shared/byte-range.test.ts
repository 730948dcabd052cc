import { describe, expect, test } from 'vitest';
import { parseRange } from '../../src/http/shared/files/byte-range.ts';

const HUGE = '9'.repeat(400);
const WHOLE = [
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=a-b',
  'bytes=1',
  'bytes=--1',
  'bytes=1--2',
  'bytes=0-1,2-3',
  'bytes=0-1, 2-3',
  'bytes=,0-1',
  'bytes=0-1,',
  'bytes=5-4',
  'items=0-1',
  'bytes 0-1',
  'bytes=0 - 1',
  'bytes=0x0-1',
  'bytes=+0-1',
  'bytes=0.0-1',
  'bytes=1e0-2',
  'bytes=٠-١',
  'bytes=-1-2',
  'bytes=0-1;q',
  'none',
  `bytes=${HUGE}-9`,
  'bytes=9007199254740993-9007199254740992',
  `bytes=${HUGE}-${HUGE.slice(1)}`,
];
const NUMBERS = [
  '0',
  '1',
  '2',
  '9',
  '10',
  '11',
  '99',
  '100',
  '101',
  '007',
  '4294967296',
  '9007199254740993',
  HUGE,
];
const SIZES = [0, 1, 2, 10, 100, 2 ** 33, Number.MAX_SAFE_INTEGER];

/**
 * The expected result, implemented independently of the program by RFC 9110, 14.1.2 in whole
 * numbers.
 */
function expected(first: string, last: string, size: number) {
  const length = BigInt(size);
  let from: bigint;
  let to = length - 1n;
  if (first === '') {
    if (BigInt(last) === 0n) return 'unsatisfiable';
    from = length - BigInt(last) < 0n ? 0n : length - BigInt(last);
  } else {
    from = BigInt(first);
    if (last !== '' && from > BigInt(last)) return 'whole';
    if (last !== '' && BigInt(last) < to) to = BigInt(last);
  }
  if (from >= length) return 'unsatisfiable';
  return { start: Number(from), end: Number(to) };
}

describe('the parsing of a Range header', () => {
  test.each(SIZES)('follows RFC 9110 for a file of %i bytes', (size) => {
    let rows = 0;
    for (const first of ['', ...NUMBERS]) {
      for (const last of ['', ...NUMBERS]) {
        if (first === '' && last === '') continue;
        for (const unit of ['bytes', 'Bytes']) {
          const header = `${unit}=${first}-${last}`;
          expect(parseRange(header, size), header).toEqual(expected(first, last, size));
          rows += 1;
        }
      }
    }
    expect(rows).toBe(390);
  });

  test.each(WHOLE)('yields the whole file for an invalid or unsupported header: %j', (header) => {
    for (const size of SIZES) expect(parseRange(header, size)).toBe('whole');
  });

  test('accepts positions of 8,000 digits', () => {
    const digits = '8'.repeat(8_000);
    expect(parseRange(`bytes=${digits}-${digits}`, 10)).toBe('unsatisfiable');
    expect(parseRange(`bytes=0-${digits}`, 10)).toEqual({ start: 0, end: 9 });
  });
});
