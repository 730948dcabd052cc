import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, MAX_READ } from '../../image-bytes.ts';
import { FRAME } from './cd-codecs.ts';
import { codecsNamed } from './codecs.ts';
import type { ChdHeader } from './header.ts';
import type { Hunk, HunkMap } from './hunk.ts';
import { HunkCache } from './hunk-cache.ts';
import { readV4Map } from './map-4.ts';
import { readPlainMap, readV5Map } from './map-5.ts';
import { readMetadata } from './metadata.ts';
import { type ChdTrack, tracksOf } from './tracks.ts';

/**
 * Maximum number of hunks. This is enough for 16 GiB in hunks of 4 KiB, the smallest common size. A
 * map of this length takes up to 64 MiB of memory.
 */
const MAX_HUNKS = 2 ** 22;

/** An open CHD, which is read hunk by hunk. */
export interface Chd {
  readonly size: number;
  readonly hunkBytes: number;
  /** The tracks of a CD or GD-ROM. Empty for other content. */
  readonly tracks: readonly ChdTrack[];
  /**
   * Reads a hunk, verifies its checksum, and calls `use` with all of its bytes. `use` must neither
   * change nor retain the bytes, because the next hunk may overwrite them. Throws a `CatalogError`
   * of kind `refused` if the hunk is damaged.
   */
  hunk(index: number, use: (bytes: Buffer) => void): Promise<void>;
}

/** Maximum size of a hunk, in bytes. chdman creates no larger hunks. */
const MAX_HUNK_BYTES = MAX_READ;

/**
 * Opens the CHD that `header` describes. If the CHD cannot be read, throws a `CatalogError` of kind
 * `refused` with the reason.
 */
export async function openChd(file: ImageBytes, header: ChdHeader): Promise<Chd> {
  const { size, hunkBytes, codecs, parentSha1 } = header;
  if (parentSha1 !== null) {
    throw refused(`it needs its parent, the CHD with the SHA-1 ${parentSha1}, and is not read`);
  }
  if (hunkBytes === 0 || hunkBytes > MAX_HUNK_BYTES) {
    throw refused(`it has hunks of ${hunkBytes} bytes, which are not read`);
  }
  const tracks = tracksOf(await readMetadata(file, header));
  const end = tracks.at(-1);
  const isCd = end !== undefined || codecs.some((codec) => codec.startsWith('cd'));
  if (isCd && hunkBytes % FRAME !== 0) throw refused('its header is damaged: no hunks of a CD');
  if (end && (end.first + end.frames) * FRAME > size) {
    throw refused('it is damaged: its tracks are longer than its image');
  }
  const map = await readHunkMap(file, header);
  const unpack = await codecsNamed(codecs);
  const cache = new HunkCache(hunkBytes);

  /**
   * Reads and unpacks a hunk, and calls `use`. Nothing is awaited between unpacking and the end of
   * `use`. A concurrent read therefore cannot overwrite the buffer.
   */
  async function read(hunk: Hunk, number: number, use: (bytes: Buffer) => void): Promise<void> {
    const packed = await packedOf(hunk);
    const bytes = unpacked(hunk, packed);
    cache.set(number, bytes);
    use(bytes);
  }

  async function packedOf(hunk: Hunk): Promise<Buffer> {
    if (hunk.kind === 'filled') return Buffer.alloc(hunkBytes, hunk.pattern);
    if (hunk.kind === 'same') throw new RangeError('a hunk that is equal to one that is equal');
    if (hunk.length > hunkBytes) throw new RangeError('a hunk that packing made longer');
    return file.read(hunk.offset, hunk.length);
  }

  function unpacked(hunk: Hunk, packed: Buffer): Buffer {
    if (hunk.kind !== 'packed' && hunk.kind !== 'stored') return packed;
    const codec = unpack[hunk.codec];
    const bytes = hunk.kind === 'stored' ? packed : codec?.(packed, hunkBytes, cache.nextBuffer());
    if (bytes === undefined || bytes.length < hunkBytes || !hunk.isWhole(bytes)) {
      throw new RangeError('a hunk that is not what it was');
    }
    return bytes;
  }

  return {
    size,
    hunkBytes,
    tracks,
    async hunk(index, use) {
      const named = map.at(index);
      const number = named.kind === 'same' ? named.as : index;
      const known = cache.get(number);
      if (known) return use(known);
      await nameDamagedHunk(index, () => {
        if (number >= map.count) throw new RangeError('a hunk that is not there');
        return read(map.at(number), number, use);
      });
    },
  };
}

/**
 * Calls `read`, and converts any error of a codec to a `CatalogError` of kind `refused`. I/O
 * errors, which have a `syscall`, are rethrown unchanged.
 */
async function nameDamagedHunk(index: number, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw refused(`it is damaged: its hunk ${index} cannot be unpacked`, error);
  }
}

/**
 * Reads the map, which states the position of each hunk. Throws a `CatalogError` of kind `refused`
 * if the map is truncated or damaged, or states impossible values.
 */
async function readHunkMap(file: ImageBytes, header: ChdHeader): Promise<HunkMap> {
  const count = Math.ceil(header.size / header.hunkBytes);
  if (count > MAX_HUNKS) throw refused(`it has ${count} hunks; at most ${MAX_HUNKS} are read`);
  if (header.version === 4) return readV4Map(file, header, count);
  if (header.codecs.length === 0) return readPlainMap(file, header, count);
  return readV5Map(file, header, count);
}
