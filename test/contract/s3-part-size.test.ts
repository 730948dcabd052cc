import { expect, test } from 'vitest';
import { mostSpooledOf } from '../../src/files/s3/object-writer.ts';
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
/** What Swift takes (`max_upload_part_num`). */
const fewestParts = 1_000;

test('100 GiB are parts enough for Swift, too, and 10,000 hold more than anybody has', () => {
  expect(partsOf(1)).toBe(1);
  expect(partsOf(8 * mib + 1)).toBe(2);
  expect(partsOf(20e9)).toBe(532);
  expect(partsOf(100 * gib)).toBeLessThan(fewestParts);
  expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(9 * 1024 * gib);
});

test('every part is as large as S3 wants it, and none is smaller than the one before', () => {
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(5 * mib);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(5 * gib);
  expect(sizes.every((size, at) => size >= (sizes[at - 1] ?? 0))).toBe(true);
});

test('of a file on its way to the store at most two parts lie on the disk', () => {
  expect(mostSpooledOf(0)).toBe(0);
  expect(mostSpooledOf(256 * 1024)).toBe(0);
  expect(mostSpooledOf(10 * mib)).toBe(10 * mib);
  expect(mostSpooledOf(17 * mib)).toBe(16 * mib);
  expect(mostSpooledOf(gib)).toBe(24 * mib); // the last part is of the next size
  expect(mostSpooledOf(2 ** 53)).toBe(2 * gib);
});
