import type { ImageBytes } from '../image-bytes.ts';
import { descriptorAt, hasTag, SECTOR, tags } from './udf-tag.ts';
import { udfText } from './udf-text.ts';

/**
 * A partition, as a function that converts a block number to the number of the block's sector in
 * the image. The function returns null if the partition lacks the block.
 */
export type Partition = (block: number) => number | null;

/**
 * The position of a file's entry: a block number, and the index of the block's partition in the
 * volume. Stored as a `long_ad` (ECMA-167, 4/14.14.2).
 */
export interface Place {
  readonly block: number;
  readonly partition: number;
}

/** A file or folder, with the position of its content. */
interface UdfFile {
  readonly isFolder: boolean;
  readonly size: number;
  /**
   * The parts of the content, in order. `partition` is null if a part is in the same partition as
   * the file's entry. `size` is in bytes.
   */
  readonly extents: readonly { block: number; size: number; partition: number | null }[];
  /** The content, if it is stored in the entry itself. Otherwise null. */
  readonly embedded: Buffer | null;
}

const FOLDER = 4;
const DELETED_OR_PARENT = 0x0c;
/**
 * Maximum number of bytes of a folder that are read. Folders of supported discs have on the order
 * of ten names.
 */
const MAX_FOLDER_BYTES = 64 * 1024;

export function placeAt(bytes: Buffer, at: number): Place {
  return { block: bytes.readUInt32LE(at + 4), partition: bytes.readUInt16LE(at + 8) };
}

/**
 * Returns the file or folder whose entry is in `block`. Returns null if the block contains no
 * entry.
 *
 * Source: ECMA-167, 4/14.9 (file entry) and 4/14.17 (extended file entry). An entry has these
 * little-endian fields:
 * - u8 at 27: type;
 * - the low 3 bits at 34: form of the extents;
 * - u64 at 56: size of the file;
 * - two u32 directly before the attributes: length of the attributes, length of the extents;
 * - the attributes, at 176 in a file entry and at 216 in an extended file entry;
 * - the extents, after the attributes.
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
 * Reads the extents of a file. An extent of 8 bytes is in the same partition as the entry. An
 * extent of 16 bytes states its partition. Stops at the first extent that is not recorded, or that
 * continues the list elsewhere.
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
 * Returns the partition that is stored in a file in partition `outer`. The blocks of the returned
 * partition are the content of the file. A metadata partition is stored in this way (UDF 2.50,
 * 2.2.10).
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
 * Returns the first `limit` bytes of a file, or the whole file if it is shorter. Returns null if
 * the extents of the file contain fewer bytes.
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
 * Source: ECMA-167, 4/14.4 (file identifier descriptor). A descriptor has these fields:
 * - u8 at 18: characteristics of the file;
 * - u8 at 19: length of the name;
 * - `long_ad` at 20: position of the file's entry;
 * - u16, little-endian, at 36: length of the data between this field and the name.
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
      ? await startOf(image, partitions, found, MAX_FOLDER_BYTES)
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
