import { createHash } from 'node:crypto';
import { refused } from '../../../core/shared/errors.ts';
import { readNintendo } from '../../disc/nintendo.ts';
import type { Draft } from '../../draft.ts';
import { type ImageBytes, statedSize } from '../../image-bytes.ts';

/**
 * The two headers of an RVZ or WIA. Offsets and sizes are in bytes, and may be beyond the end of
 * the file.
 */
export interface WiaHeader {
  readonly isRvz: boolean;
  /** Size of the original disc. */
  readonly size: number;
  /**
   * Number of the compression method. The methods from 0 on are none, PURGE, bzip2, LZMA, LZMA2 and
   * Zstandard.
   */
  readonly compression: number;
  readonly compressionData: Buffer;
  /** Number of bytes of the disc that are packed together as one group. */
  readonly chunkSize: number;
  /** The first 0x80 bytes of the disc. */
  readonly discHead: Buffer;
  readonly partitions: TablePlace & { readonly entrySize: number; readonly sha1: Buffer };
  readonly rawAreas: TablePlace & { readonly packedSize: number };
  readonly groups: TablePlace & { readonly packedSize: number };
}

interface TablePlace {
  readonly count: number;
  readonly offset: number;
}

const FILE_HEAD = 0x48;
const FILE_HEAD_HASHED = 0x34;
const MIN_DISC_HEADER = 0xdc;
const MAX_DISC_HEADER = 0x1000;

/**
 * Reads the headers of an RVZ or WIA. Identifies the disc from the uncompressed copy of the disc's
 * header, and adds the result to the draft. Throws a `CatalogError` of kind `refused` if a checksum
 * differs or the file is truncated. After such an error, the draft still contains the result.
 *
 * Source: dolphin-emu/dolphin `docs/WiaAndRvz.md`. All numbers are big-endian.
 */
export async function readWia(file: ImageBytes, draft?: Draft): Promise<WiaHeader> {
  const head = await file.read(0, FILE_HEAD);
  const size = statedSize(head.readBigUInt64BE(0x24));
  if (draft) draft.imageSize = size;
  const length = head.readUInt32BE(0x0c);
  if (length < MIN_DISC_HEADER || length > MAX_DISC_HEADER) throw refused('its header is damaged');
  const disc = await file.read(FILE_HEAD, length);
  const discHead = disc.subarray(0x10, 0x90);
  if (draft) readNintendo(discHead, draft);
  if (!sha1(head.subarray(0, FILE_HEAD_HASHED)).equals(head.subarray(FILE_HEAD_HASHED))) {
    throw refused('its header is damaged: its checksum differs');
  }
  if (!sha1(disc).equals(head.subarray(0x10, 0x24))) {
    throw refused('its disc header is damaged: its checksum differs');
  }
  const stated = statedSize(head.readBigUInt64BE(0x2c));
  if (stated > file.size) throw refused(`it is cut: it has ${file.size} of ${stated} bytes`);
  const at = (offset: number) => statedSize(disc.readBigUInt64BE(offset));
  return {
    isRvz: head.toString('latin1', 0, 3) === 'RVZ',
    size,
    compression: disc.readUInt32BE(4),
    chunkSize: disc.readUInt32BE(0x0c),
    discHead,
    partitions: {
      count: disc.readUInt32BE(0x90),
      entrySize: disc.readUInt32BE(0x94),
      offset: at(0x98),
      sha1: disc.subarray(0xa0, 0xb4),
    },
    rawAreas: {
      count: disc.readUInt32BE(0xb4),
      offset: at(0xb8),
      packedSize: disc.readUInt32BE(0xc0),
    },
    groups: {
      count: disc.readUInt32BE(0xc4),
      offset: at(0xc8),
      packedSize: disc.readUInt32BE(0xd0),
    },
    compressionData: disc.subarray(0xd5, 0xd5 + Math.min(7, disc[0xd4] ?? 0)),
  };
}

export const sha1 = (bytes: Buffer) => createHash('sha1').update(bytes).digest();
