import type { ImageBytes } from '../image-bytes.ts';
import { fileAt, findFile, type Partition, partitionIn, placeAt, startOf } from './udf-file.ts';
import { descriptorAt, SECTOR, tags } from './udf-tag.ts';
import { udfText } from './udf-text.ts';

const ANCHOR = 256;
const MAX_DESCRIPTORS = 32;
const MAX_MAPS = 8;
const METADATA = '*UDF Metadata Partition';

/** The UDF file system of a disc. Some discs, such as Blu-ray discs, have UDF but no ISO 9660. */
export interface UdfVolume {
  readonly volumeId: string;
  /**
   * Returns the first `limit` bytes of the file at a path, ignoring case. Returns null if there is
   * no such file.
   */
  read(path: string, limit: number): Promise<Buffer | null>;
}

/**
 * Opens the UDF file system of an image with 2048-byte sectors. Returns null if the image has no
 * UDF. Supports partitions at fixed positions (DVD). Also supports metadata partitions, which are
 * stored in a file (UDF 2.50, Blu-ray).
 *
 * Source: ECMA-167, 3rd edition. All numbers are little-endian. The anchor in sector 256 has these
 * fields (3/10.2):
 * - u32 at 16: length of the volume descriptors, in bytes;
 * - u32 at 20: first sector of the volume descriptors.
 *
 * A partition descriptor has these fields (3/10.5):
 * - u16 at 22: number of the partition;
 * - u32 at 188: first sector of the partition.
 *
 * The logical volume descriptor has these fields (3/10.6):
 * - 128 bytes at 84: name; the last byte is the length of the name;
 * - `long_ad` at 248: position of the file set;
 * - from 440 on: the partition maps.
 */
export async function openUdf(image: ImageBytes): Promise<UdfVolume | null> {
  const anchor = await descriptorAt(image, ANCHOR);
  if (anchor === null || anchor.readUInt16LE(0) !== tags.anchor) return null;
  const count = Math.min(Math.floor(anchor.readUInt32LE(16) / SECTOR), MAX_DESCRIPTORS);
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
 * Source: a map of type 1 contains the partition's number at 4 (ECMA-167, 3/10.7.2). A map of type
 * 2 contains at 5 the name of the partition's kind, such as `METADATA`. A map of a metadata
 * partition has these further fields (UDF 2.50, 2.2.10):
 * - u16 at 38: number of the outer partition;
 * - u32 at 40: block of the metadata file's entry.
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
  for (let at = 440; partitions.length < MAX_MAPS && at + 64 <= volume.length; ) {
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
