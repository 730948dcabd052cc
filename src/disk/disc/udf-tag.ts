import { type ImageBytes, readUpTo } from '../image-bytes.ts';

/** Size of a sector, in bytes. On every supported disc, a block has the same size. */
export const SECTOR = 2048;

/** Tags that identify the kind of a descriptor (ECMA-167, 3/7.2.1 and 4/7.2.1). */
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
 * Returns the descriptor in a sector of the image. A descriptor states its own position, which must
 * equal `place`. The position is the sector number, or the block number in a partition. Returns
 * null if the sector contains no descriptor, or one with another position.
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

/** Returns true if the bytes begin with a tag that has a correct checksum. */
export function hasTag(bytes: Buffer): boolean {
  const sum = bytes.subarray(0, 16).reduce((all, byte, at) => (at === 4 ? all : all + byte), 0);
  return sum % 256 === bytes[4];
}
