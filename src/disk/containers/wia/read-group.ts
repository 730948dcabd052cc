import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, readLong } from '../../image-bytes.ts';
import type { Packing } from './codecs.ts';
import { SEED_BYTES, writePadding } from './padding.ts';
import { unpackPurge } from './purge.ts';
import type { WiaGroup } from './wia-tables.ts';

/** A hash on the disc that differs from the hash of the disc's data. */
export interface HashException {
  /**
   * Offset of the hash, in bytes. The offset is counted in the hashes of all sectors that the list
   * covers. Each sector has 0x400 bytes of hashes.
   */
  readonly offset: number;
  readonly hash: Buffer;
}

/** The size and structure that a group must have. */
export interface GroupForm {
  /** Size of the group's data, in bytes. */
  readonly size: number;
  /** Number of lists of hash exceptions before the data. */
  readonly lists: number;
  /** Offset of the data on the disc, or in the data of its partition, in bytes. */
  readonly offset: number;
}

export interface GroupContent {
  readonly data: Buffer;
  readonly exceptions: readonly (readonly HashException[])[];
}

const EXCEPTION = 22;
/**
 * Maximum number of hash exceptions in a list: 52 for each of 64 sectors. 52 exceptions can replace
 * all hashes of a sector and the bytes between the hashes.
 */
const MAX_EXCEPTIONS = 3328;

/** Reads and unpacks a group. Throws a `CatalogError` of kind `refused` if the group is damaged. */
export async function readGroup(
  file: ImageBytes,
  packing: Packing,
  group: WiaGroup,
  form: GroupForm,
): Promise<GroupContent> {
  const { length, isPacked, packedSize } = group;
  if (length === 0) return { data: Buffer.alloc(form.size), exceptions: [] };
  const maxBytes = form.lists * (2 + MAX_EXCEPTIONS * EXCEPTION) + Math.max(form.size, packedSize);
  if (packedSize > 2 * form.size + 0x10000 || length > 2 * maxBytes + 0x10000) {
    throw refused('it is damaged: a group is too long');
  }
  const stored = await readLong(file, group.offset, length);
  try {
    const isStream = isPacked && typeof packing === 'function';
    const bytes = isStream ? packing(stored, maxBytes) : stored;
    const { exceptions, end } = readLists(bytes, form.lists);
    const start = isStream ? end : Math.ceil(end / 4) * 4;
    const data =
      isPacked && packing === 'purge'
        ? unpackPurge(bytes, start, form.size)
        : bytes.subarray(start, start + (packedSize || form.size));
    const whole = packedSize > 0 ? withPadding(data, form) : data;
    if (whole.length < form.size) throw new RangeError('a group that is too short');
    return { data: whole, exceptions };
  } catch (error) {
    throw refused('it is damaged: a group cannot be unpacked', error);
  }
}

function readLists(bytes: Buffer, lists: number) {
  const exceptions: HashException[][] = [];
  let end = 0;
  for (let i = 0; i < lists; i += 1) {
    const count = bytes.readUInt16BE(end);
    end += 2;
    if (count > MAX_EXCEPTIONS) throw new RangeError('too many exceptions');
    exceptions.push(
      Array.from({ length: count }, (_, j) => {
        const at = end + j * EXCEPTION;
        return { offset: bytes.readUInt16BE(at), hash: bytes.subarray(at + 2, at + EXCEPTION) };
      }),
    );
    end += count * EXCEPTION;
  }
  return { exceptions, end };
}

/**
 * Restores data from which padding was left out. The data consists of pieces that begin with their
 * size (u32, big-endian). If the top bit of the size is set, the piece is padding. The padding is
 * generated from the 68 bytes that follow.
 */
function withPadding(packed: Buffer, { size, offset }: GroupForm): Buffer {
  const out = Buffer.alloc(size);
  let done = 0;
  for (let at = 0; at + 4 <= packed.length && done < size; ) {
    const stated = packed.readUInt32BE(at);
    const length = stated % 2 ** 31;
    at += 4;
    if (length > size - done) throw new RangeError('a piece that is too long');
    if (stated >= 2 ** 31) {
      const seed = packed.subarray(at, at + SEED_BYTES);
      writePadding(seed, offset + done, out.subarray(done, done + length));
      at += SEED_BYTES;
    } else {
      if (length > packed.length - at) throw new RangeError('a piece that is cut');
      packed.copy(out, done, at, at + length);
      at += length;
    }
    done += length;
  }
  return out.subarray(0, done);
}
