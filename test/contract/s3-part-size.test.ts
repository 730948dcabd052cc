import { expect, test } from 'vitest';
import { lastPart, partSize } from '../../src/files/s3/part-size.ts';

const mib = 2 ** 20;
const gib = 2 ** 30;
const sizes = Array.from({ length: lastPart }, (_, at) => partSize(at + 1));

/** How many parts a file of so many bytes is. */
function partsOf(bytes: number): number {
  let left = bytes;
  return (
    1 +
    sizes.findIndex((size) => {
      left -= size;
      return left <= 0;
    })
  );
}

// By arithmetic: nobody sends 20 GB in a test.
test('20 GB are less than 2,000 parts, and 10,000 hold more than anybody has', () => {
  expect(partsOf(1)).toBe(1);
  expect(partsOf(8 * mib + 1)).toBe(2);
  expect(partsOf(20e9)).toBe(1693);
  expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(3.8 * 1024 * gib);
});

test('every part is as large as S3 wants it, and none is smaller than the one before', () => {
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(5 * mib);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(5 * gib);
  expect(sizes.every((size, at) => size >= (sizes[at - 1] ?? 0))).toBe(true);
});
