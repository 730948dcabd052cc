import type { ImageBytes } from '../image-bytes.ts';
import { descriptorAt, hasTag, SECTOR, tags } from './udf-tag.ts';
import { udfText } from './udf-text.ts';

/**
 * A partition, as a function that returns the sector in the image at which a block is stored. The
 * function returns null if the partition lacks the block.
 */
export type Partition = (block: number) => number | null;

/**
 * The place of a file's entry: a block, and the index of its partition in the volume. Stored as a
 * `long_ad` (ECMA-167, 4/14.14.2).
 */
export interface Place {
  readonly block: number;
  readonly partition: number;
}

/** A file or folder, with the place of its content. */
interface UdfFile {
  readonly isFolder: boolean;
  readonly size: number;
  /**
   * The parts of the content, in order. `partition` is null for the partition that has the file's
   * own entry.
   */
  readonly extents: readonly { block: number; size: number; partition: number | null }[];
  /** The content, if the entry itself stores it; otherwise null. */
  readonly embedded: Buffer | null;
}

const FOLDER = 4;
const DELETED_OR_PARENT = 0x0c;
/**
 * Maximum number of bytes of a folder that are read. Folders of supported discs have some ten
 * names.
 */
const MOST_FOLDER = 64 * 1024;

export function placeAt(bytes: Buffer, at: number): Place {
  return { block: bytes.readUInt32LE(at + 4), partition: bytes.readUInt16LE(at + 8) };
}

/**
 * Returns the file or folder whose entry is in the given block; null if the block has no entry.
 *
 * Source: ECMA-167, 4/14.9 (file entry) and 4/14.17 (extended file entry): the type at 27, the form
 * of the extents at 34, the size at 56. The lengths of the attributes and of the extents come
 * directly before the attributes. The extents follow the attributes.
 */
export async function fileAt(
  image: ImageBytes,
  partition: Partition,
  block: number,
): Promise<UdfFile | null> {
  const sector = partition(block);
  const entry = sector === null ? null : await descriptorAt(image, sector, block);
  const kind = entry?.readUInt16LE(0);
  if (entry === null || (kind !== tags.file && kind !== tags.extendedFile)) return null;
  const attributesAt = kind === tags.file ? 176 : 216;
  const start = attributesAt + entry.readUInt32LE(attributesAt - 8);
  const bytes = entry.subarray(start, start + entry.readUInt32LE(attributesAt - 4));
  const form = (entry[34] ?? 0) & 7;
  return {
    isFolder: entry[27] === FOLDER,
    size: Number(entry.readBigUInt64LE(56)),
    extents: form > 1 ? [] : extentsIn(bytes, form === 0 ? 8 : 16),
    embedded: form === 3 ? bytes : null,
  };
}

/**
 * Reads the extents of a file. An extent of 8 bytes is in the entry's own partition; one of 16
 * bytes states its partition. Stops at the first extent that is not recorded, or that continues the
 * list elsewhere.
 */
function extentsIn(bytes: Buffer, each: 8 | 16): UdfFile['extents'] {
  const extents: { block: number; size: number; partition: number | null }[] = [];
  for (let at = 0; at + each <= bytes.length; at += each) {
    const length = bytes.readUInt32LE(at);
    if (length === 0 || length >>> 30 !== 0) break;
    const partition = each === 8 ? null : bytes.readUInt16LE(at + 8);
    extents.push({ size: length, block: bytes.readUInt32LE(at + 4), partition });
  }
  return extents;
}

/**
 * Returns the partition whose blocks are the content of a file in partition `outer`. This is the
 * metadata partition (UDF 2.50, 2.2.10).
 */
export function partitionIn(file: UdfFile, outer: Partition): Partition {
  return (block) => {
    let left = block;
    for (const { block: first, size } of file.extents) {
      const blocks = Math.ceil(size / SECTOR);
      if (left < blocks) return outer(first + left);
      left -= blocks;
    }
    return null;
  };
}

/**
 * Returns the first bytes of a file, at most `limit`; null if the file's extents do not give all of
 * these bytes.
 */
export async function startOf(
  image: ImageBytes,
  partitions: readonly Partition[],
  { file, partition: own }: { file: UdfFile; partition: number },
  limit: number,
): Promise<Buffer | null> {
  const wanted = Math.min(limit, file.size);
  if (file.embedded !== null) return file.embedded.subarray(0, wanted);
  const parts: Buffer[] = [];
  let got = 0;
  for (const { block, size, partition } of file.extents) {
    if (got >= wanted) break;
    const sector = partitions[partition ?? own]?.(block) ?? null;
    if (sector === null) return null;
    parts.push(await image.read(sector * SECTOR, Math.min(size, wanted - got)));
    got += Math.min(size, wanted - got);
  }
  return got < wanted ? null : Buffer.concat(parts);
}

/**
 * Finds a file by its path from the folder `root`, ignoring case. Returns null if there is no such
 * file.
 *
 * Source: ECMA-167, 4/14.4 (file identifier descriptor): the file's characteristics at 18, the
 * length of the name at 19. The place of the file's entry is at 20, the length of the data before
 * the name at 36.
 */
export async function findFile(
  image: ImageBytes,
  partitions: readonly Partition[],
  root: Place,
  path: string,
): Promise<{ file: UdfFile; partition: number } | null> {
  let place: Place | null = root;
  for (const name of [...path.split('/'), null]) {
    const partition: Partition | undefined = partitions[place.partition];
    const file: UdfFile | null = partition ? await fileAt(image, partition, place.block) : null;
    if (file === null || name === null) {
      return file === null || file.isFolder ? null : { file, partition: place.partition };
    }
    const found: { file: UdfFile; partition: number } = { file, partition: place.partition };
    const names: Buffer | null = file.isFolder
      ? await startOf(image, partitions, found, MOST_FOLDER)
      : null;
    place = names === null ? null : placeNamed(names, name);
    if (place === null) return null;
  }
  return null;
}

function placeNamed(names: Buffer, wanted: string): Place | null {
  for (let at = 0; at + 38 <= names.length; ) {
    const one = names.subarray(at);
    if (!hasTag(one) || one.readUInt16LE(0) !== tags.fileName) return null;
    const nameAt = 38 + one.readUInt16LE(36);
    const end = nameAt + (one[19] ?? 0);
    const isThere = ((one[18] ?? 0) & DELETED_OR_PARENT) === 0;
    const name = isThere ? udfText(one.subarray(nameAt, end)) : '';
    if (name.toUpperCase() === wanted.toUpperCase()) return placeAt(one, 20);
    at += Math.ceil(end / 4) * 4;
  }
  return null;
}
