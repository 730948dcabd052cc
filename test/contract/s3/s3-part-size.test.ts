import { describe, expect, test } from 'vitest';
import { maxSpooledBytes } from '../../../src/files/s3/object-writer.ts';
import { lastPart, partSize } from '../../../src/files/s3/uploads/part-size.ts';

const mib = 2 ** 20;
const gib = 2 ** 30;
const sizes = Array.from({ length: lastPart }, (_, at) => partSize(at + 1));

/** Returns the number of parts of a file with this size. */
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

// This test only calculates, because a test cannot send 20 GB.
/** The maximum number of parts that Swift allows (`max_upload_part_num`). */
const fewestParts = 1_000;

describe('the choice of part sizes', () => {
  test('splits 100 GiB into fewer than 1,000 parts, and more than 9 TiB into 10,000', () => {
    expect(partsOf(1)).toBe(1);
    expect(partsOf(8 * mib + 1)).toBe(2);
    expect(partsOf(20e9)).toBe(532);
    expect(partsOf(100 * gib)).toBeLessThan(fewestParts);
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(9 * 1024 * gib);
  });

  test('keeps every part within the limits of S3 and never smaller than the one before', () => {
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(5 * mib);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5 * gib);
    expect(sizes.every((size, at) => size >= (sizes[at - 1] ?? 0))).toBe(true);
  });

  test('spools at most two parts of a file to disk', () => {
    expect(maxSpooledBytes(0)).toBe(0);
    expect(maxSpooledBytes(256 * 1024)).toBe(0);
    expect(maxSpooledBytes(10 * mib)).toBe(10 * mib);
    expect(maxSpooledBytes(17 * mib)).toBe(16 * mib);
    expect(maxSpooledBytes(gib)).toBe(24 * mib); // the last part has the next part size
    expect(maxSpooledBytes(2 ** 53)).toBe(2 * gib);
  });
});
