import type { ImageBytes } from '../image-bytes.ts';
import { fileAt, findFile, type Partition, partitionIn, placeAt, startOf } from './udf-file.ts';
import { descriptorAt, SECTOR, tags } from './udf-tag.ts';
import { udfText } from './udf-text.ts';

const ANCHOR = 256;
const MOST_DESCRIPTORS = 32;
const MOST_MAPS = 8;
const METADATA = '*UDF Metadata Partition';

/** The UDF file system of a disc. A Blu-ray, for example, has UDF but no ISO 9660. */
export interface UdfVolume {
  readonly volumeId: string;
  /**
   * Returns the first `limit` bytes of the file at a path, ignoring case. Returns null if there is
   * no such file.
   */
  read(path: string, limit: number): Promise<Buffer | null>;
}

/**
 * Opens the UDF file system of an image with 2048-byte sectors; returns null if the image has none.
 * Supports partitions at fixed places (DVD), and metadata partitions, which are stored in a file
 * (UDF 2.50, Blu-ray).
 *
 * Source: ECMA-167, 3rd edition. The anchor in sector 256 has the length of the volume descriptors
 * at 16 and their first sector at 20 (3/10.2). A partition descriptor has the partition's number at
 * 22 and first sector at 188 (3/10.5). The logical volume descriptor has the name at 84, the file
 * set at 248, the partition maps at 440 (3/10.6). The name's field has 128 bytes; the last byte is
 * the length of the name.
 */
export async function openUdf(image: ImageBytes): Promise<UdfVolume | null> {
  const anchor = await descriptorAt(image, ANCHOR);
  if (anchor === null || anchor.readUInt16LE(0) !== tags.anchor) return null;
  const count = Math.min(Math.floor(anchor.readUInt32LE(16) / SECTOR), MOST_DESCRIPTORS);
  const first = anchor.readUInt32LE(20);
  const starts = new Map<number, number>();
  let volume: Buffer | null = null;
  for (let sector = first; sector < first + count; sector += 1) {
    const descriptor = await descriptorAt(image, sector);
    const kind = descriptor?.readUInt16LE(0);
    if (descriptor === null || kind === tags.end) break;
    if (kind === tags.partition) {
      starts.set(descriptor.readUInt16LE(22), descriptor.readUInt32LE(188));
    } else if (kind === tags.logicalVolume) volume ??= descriptor;
  }
  if (volume === null) return { volumeId: '', read: async () => null };
  const described = volume;
  const name = described.subarray(84, 212);
  return {
    volumeId: udfText(name.subarray(0, Math.min(name.at(-1) ?? 0, name.length - 1))),
    async read(path, limit) {
      const partitions = await partitionsOf(image, described, starts);
      const files = placeAt(described, 248);
      const sector = partitions[files.partition]?.(files.block) ?? null;
      const set = sector === null ? null : await descriptorAt(image, sector, files.block);
      if (set?.readUInt16LE(0) !== tags.fileSet) return null;
      const found = await findFile(image, partitions, placeAt(set, 400), path);
      return found && startOf(image, partitions, found, limit);
    },
  };
}

/**
 * Returns the partitions of a volume, in order.
 *
 * Source: A map of type 1 has the partition's number at 4 (ECMA-167, 3/10.7.2). A map of type 2
 * states at 5 whether it describes a metadata partition. In this case, the number of the outer
 * partition is at 38, and the block of the metadata file's entry at 40 (UDF 2.50, 2.2.10).
 */
async function partitionsOf(
  image: ImageBytes,
  volume: Buffer,
  starts: ReadonlyMap<number, number>,
): Promise<Partition[]> {
  const plain = (number: number): Partition => {
    const start = starts.get(number);
    return (block) => (start === undefined ? null : start + block);
  };
  const partitions: Partition[] = [];
  for (let at = 440; partitions.length < MOST_MAPS && at + 64 <= volume.length; ) {
    const [type = 0, length = 0] = volume.subarray(at);
    if (length < 6 || partitions.length === volume.readUInt32LE(268)) break;
    if (type === 1) partitions.push(plain(volume.readUInt16LE(at + 4)));
    else if (volume.toString('latin1', at + 5, at + 28) === METADATA) {
      const outer = plain(volume.readUInt16LE(at + 38));
      const file = await fileAt(image, outer, volume.readUInt32LE(at + 40));
      partitions.push(file === null ? () => null : partitionIn(file, outer));
    } else partitions.push(() => null);
    at += length;
  }
  return partitions;
}
