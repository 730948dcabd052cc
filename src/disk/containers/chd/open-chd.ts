import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, MAX_READ } from '../../image-bytes.ts';
import { FRAME } from './cd-codecs.ts';
import { codecsNamed } from './codecs.ts';
import type { ChdHeader } from './header.ts';
import type { Hunk } from './hunk.ts';
import { readHunkMap } from './hunk-map.ts';
import { readMetadata } from './metadata.ts';
import { type ChdTrack, tracksOf } from './tracks.ts';

/** The image in a CHD, hunk by hunk. */
export interface Chd {
  readonly size: number;
  readonly hunkBytes: number;
  /** Of a CD or GD-ROM; none for other images. */
  readonly tracks: readonly ChdTrack[];
  /** All bytes of a hunk, checked; not to be written to. Throws a refused `CatalogError` when it is damaged. */
  hunk(index: number): Promise<Buffer>;
}

/** What chdman makes at most. */
const MOST_HUNK_BYTES = MAX_READ;
/** Hunks that were unpacked last; with more of them, memory is freed late. */
const KEPT = 2;

/** Opens what a header describes. Throws a refused `CatalogError` when that cannot be read, and says why. */
export async function openChd(file: ImageBytes, header: ChdHeader): Promise<Chd> {
  const { size, hunkBytes, codecs, parentSha1 } = header;
  if (parentSha1 !== null) {
    throw refused(`it needs its parent, the CHD with the SHA-1 ${parentSha1}, and is not read`);
  }
  if (hunkBytes === 0 || hunkBytes > MOST_HUNK_BYTES) {
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
  const kept = new Map<number, Buffer>();

  async function read(hunk: Hunk): Promise<Buffer> {
    if (hunk.kind === 'filled') return Buffer.alloc(hunkBytes, hunk.pattern);
    if (hunk.kind === 'same') throw new RangeError('a hunk that is equal to one that is equal');
    if (hunk.length > hunkBytes) throw new RangeError('a hunk that packing made longer');
    const packed = await file.read(hunk.offset, hunk.length);
    const codec = unpack[hunk.codec];
    const bytes = hunk.kind === 'stored' ? packed : codec?.(packed, hunkBytes);
    if (bytes === undefined || bytes.length < hunkBytes || !hunk.isWhole(bytes)) {
      throw new RangeError('a hunk that is not what it was');
    }
    return bytes;
  }

  return {
    size,
    hunkBytes,
    tracks,
    async hunk(index) {
      const named = map.at(index);
      const number = named.kind === 'same' ? named.as : index;
      const known = kept.get(number);
      if (known) return known;
      const bytes = await damageNamed(index, () => {
        if (number >= map.count) throw new RangeError('a hunk that is not there');
        return read(map.at(number));
      });
      kept.set(number, bytes);
      const [oldest] = kept.keys();
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
      return bytes;
    },
  };
}

/** What a codec throws is damage, whatever it is; a failure of the disk has a number of the system's. */
async function damageNamed(index: number, read: () => Promise<Buffer>): Promise<Buffer> {
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw refused(`it is damaged: its hunk ${index} cannot be unpacked`, error);
  }
}
