import { type ImageBytes, MAX_READ, readUpTo } from '../image-bytes.ts';
import { discText } from './disc-text.ts';

const SECTOR = 2048;
/**
 * Maximum number of volume descriptors that are read, starting at sector 16. Real discs have two to
 * four.
 */
const MAX_DESCRIPTORS = 16;

/** A file or folder on a disc. `offset` and `size` are in bytes, as stated by the directory. */
interface Extent {
  readonly offset: number;
  readonly size: number;
  readonly isFolder: boolean;
}

/** The file system of a disc. */
export interface IsoVolume {
  readonly systemId: string;
  readonly volumeId: string;
  /** Size of the file system in bytes, as stated by the volume descriptor. */
  readonly size: number;
  /**
   * Finds a file by a path in which `/` separates the names. Ignores case, and ignores version
   * numbers (`;1`) on the disc. Returns null if there is no such file.
   */
  find(path: string): Promise<{ offset: number; size: number } | null>;
  /** Returns the first `limit` bytes of a file, or null if there is no such file. */
  read(path: string, limit: number): Promise<Buffer | null>;
}

/**
 * Opens the ISO 9660 file system of an image with 2048-byte sectors. Returns null if the image has
 * no such file system. `openIso` and the methods of the volume throw a `CatalogError` of kind
 * `refused` if the image is truncated.
 *
 * Source: ECMA-119 (ISO 9660), 8.4 (primary volume descriptor) and 9.1 (directory records). Some
 * numbers are stored in both byte orders. Consoles read the little-endian number, and so does this
 * function.
 */
export async function openIso(image: ImageBytes): Promise<IsoVolume | null> {
  const pvd = await primaryDescriptor(image);
  if (pvd === null) return null;
  const root = extentOf(pvd, 156);
  const folders = new Map<number, Buffer>();

  async function folder(extent: Extent): Promise<Buffer> {
    const known = folders.get(extent.offset);
    if (known) return known;
    const records = await readUpTo(image, extent.offset, Math.min(extent.size, MAX_READ));
    folders.set(extent.offset, records);
    return records;
  }

  async function find(path: string): Promise<Extent | null> {
    let extent = root;
    for (const name of path.split('/')) {
      if (!extent.isFolder) return null;
      const next = recordNamed(await folder(extent), name);
      if (next === null) return null;
      extent = next;
    }
    return extent.isFolder ? null : extent;
  }

  return {
    systemId: discText(pvd.subarray(8, 40)),
    volumeId: discText(pvd.subarray(40, 72)),
    size: pvd.readUInt32LE(80) * SECTOR,
    find,
    async read(path, limit) {
      const file = await find(path);
      return file && image.read(file.offset, Math.min(file.size, limit));
    },
  };
}

async function primaryDescriptor(image: ImageBytes): Promise<Buffer | null> {
  for (let sector = 16; sector < 16 + MAX_DESCRIPTORS; sector += 1) {
    if ((sector + 1) * SECTOR > image.size) return null;
    const descriptor = await image.read(sector * SECTOR, SECTOR);
    if (descriptor.toString('latin1', 1, 6) !== 'CD001') return null;
    if (descriptor[0] === 1) return descriptor;
    if (descriptor[0] === 255) return null;
  }
  return null;
}

/**
 * Finds the record of a file or folder by its name. Records do not cross sectors. After the last
 * record of a sector there is a length of 0, and the search continues in the next sector.
 */
function recordNamed(records: Buffer, name: string): Extent | null {
  const wanted = name.toUpperCase();
  for (let at = 0; at + 34 <= records.length; ) {
    const length = records[at] ?? 0;
    if (length < 34 || at + length > records.length) {
      at = (Math.floor(at / SECTOR) + 1) * SECTOR;
      continue;
    }
    if (nameAt(records, at, length) === wanted) return extentOf(records, at);
    at += length;
  }
  return null;
}

function nameAt(records: Buffer, at: number, length: number): string {
  const end = Math.min(33 + (records[at + 32] ?? 0), length);
  return records
    .toString('latin1', at + 33, at + end)
    .toUpperCase()
    .replace(/\.?(;\d*)?$/, '');
}

function extentOf(record: Buffer, at: number): Extent {
  return {
    // If there is an extended attribute record, the stated sector is that of this record. The
    // content follows the record (ECMA-119, 9.1.3).
    offset: (record.readUInt32LE(at + 2) + (record[at + 1] ?? 0)) * SECTOR,
    size: record.readUInt32LE(at + 10),
    isFolder: ((record[at + 25] ?? 0) & 2) !== 0,
  };
}
