import { crc32 } from 'node:zlib';
import { refused } from '../../../../core/shared/errors.ts';
import type { ImageBytes } from '../../../image-bytes.ts';
import { ByteReader } from '../byte-reader.ts';
import { headerWindow } from '../header-window.ts';
import type { RarBlock, RarFile } from './rar-block.ts';

const SIGNATURE = 8;
/** Maximum size of a header, in bytes. The format defines this limit. */
const MAX_HEADER_BYTES = 2 * 1024 * 1024;
/**
 * Number of bytes to read first: 4 bytes for the checksum and at most 3 bytes for the header's
 * length.
 */
const MIN_SIZE = 7;

const MAIN = 1;
const FILE = 2;
const LOCKED = 4;
const END = 5;

/**
 * Yields the blocks of a RAR of version 5. Throws a `CatalogError` of kind `refused` if the file is
 * truncated or a header's checksum differs.
 *
 * Source: RARLAB's "RAR 5.0 archive format". A vint is a number with seven bits per byte, lowest
 * bits first. The header of a block has these fields:
 * - u32, little-endian: CRC-32 of the rest of the header;
 * - vint: length of the header after this field;
 * - vint: type;
 * - vint: flags;
 * - vint, if flag 1 is set: length of the extra area;
 * - vint, if flag 2 is set: length of the data after the header;
 * - the fields of the type;
 * - the extra area, at the end of the header.
 */
export async function* rar5Blocks(file: ImageBytes): AsyncGenerator<RarBlock> {
  const read = headerWindow(file);
  for (let at = SIGNATURE; at + MIN_SIZE <= file.size; ) {
    const base = new ByteReader((await read(at, MIN_SIZE)).subarray(4));
    const stated = base.number7();
    const length = 4 + base.at + stated;
    if (stated === 0 || length > MAX_HEADER_BYTES)
      throw refused('it is damaged: a header is too long');
    const header = await read(at, length);
    if (crc32(header.subarray(4)) !== header.readUInt32LE(0)) {
      throw refused("it is damaged: a header's checksum differs");
    }
    const fields = new ByteReader(header.subarray(4 + base.at));
    const type = fields.number7();
    const flags = fields.number7();
    const extra = (flags & 1) === 0 ? 0 : fields.number7();
    const packedSize = (flags & 2) === 0 ? 0 : fields.number7();
    const start = at + length;
    if (type === END) return;
    if (type === LOCKED) yield { kind: 'locked' };
    if (type === MAIN && (fields.number7() & 1) !== 0) yield { kind: 'volume' };
    if (type === FILE) {
      const isSplit = (flags & 0x18) !== 0;
      yield fileOf(fields, { extra, start, packedSize, isSplit });
    }
    at = start + packedSize;
  }
}

interface BlockPlace {
  readonly extra: number;
  readonly start: number;
  readonly packedSize: number;
  readonly isSplit: boolean;
}

function fileOf(fields: ByteReader, { extra, start, packedSize, isSplit }: BlockPlace): RarFile {
  const flags = fields.number7();
  const size = fields.number7();
  fields.number7(); // attributes
  if ((flags & 2) !== 0) fields.skip(4); // time
  const crc = (flags & 4) === 0 ? null : fields.uint32();
  const packing = fields.number7();
  fields.number7(); // operating system
  const name = fields.bytes(fields.number7()).toString('utf8');
  const { isEncrypted, isLink } = extrasOf(fields.last(extra));
  return {
    kind: 'file',
    name,
    size,
    // The checksum of an encrypted file may depend on the password, so it cannot be compared.
    crc32: isEncrypted ? null : crc,
    isFolder: (flags & 1) !== 0,
    isEncrypted,
    // Flag 8 means that the size is unknown. The end of the file's content is then unknown too.
    isElsewhere: isSplit || isLink || (flags & 8) !== 0,
    isStored: ((packing >> 7) & 7) === 0,
    dictionary: 2 ** 17 * 2 ** ((packing >> 10) & 0x1f),
    start,
    packedSize,
  };
}

const ENCRYPTION = 1;
const LINK = 5;

function extrasOf(area: ByteReader): { isEncrypted: boolean; isLink: boolean } {
  const found = { isEncrypted: false, isLink: false };
  while (area.left > 0) {
    const record = new ByteReader(area.bytes(area.number7()));
    const type = record.number7();
    if (type === ENCRYPTION) found.isEncrypted = true;
    if (type === LINK) found.isLink = true;
  }
  return found;
}
