import { type ImageBytes, readUpTo } from '../image-bytes.ts';

/** Size in bytes of a sector, and of a block on every supported disc. */
export const SECTOR = 2048;

/** Tags that identify descriptors (ECMA-167, 3/7.2.1 and 4/7.2.1). */
export const tags = {
  anchor: 2,
  partition: 5,
  logicalVolume: 6,
  end: 8,
  fileSet: 256,
  fileName: 257,
  file: 261,
  extendedFile: 266,
};

/**
 * Returns the descriptor in a sector of the image. `place` is the place that it must state: the
 * sector, or its block in its partition. Returns null when there is no descriptor that belongs
 * there.
 */
export async function descriptorAt(
  image: ImageBytes,
  sector: number,
  place = sector,
): Promise<Buffer | null> {
  if ((sector + 1) * SECTOR > image.size) return null;
  const bytes = await readUpTo(image, sector * SECTOR, SECTOR);
  return hasTag(bytes) && bytes.readUInt32LE(12) === place ? bytes : null;
}

/** Returns whether bytes begin with a tag, by its checksum. */
export function hasTag(bytes: Buffer): boolean {
  const sum = bytes.subarray(0, 16).reduce((all, byte, at) => (at === 4 ? all : all + byte), 0);
  return sum % 256 === bytes[4];
}
