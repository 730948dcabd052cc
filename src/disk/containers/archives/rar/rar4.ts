import { crc32 } from 'node:zlib';
import { refused } from '../../../../core/shared/errors.ts';
import { type ImageBytes, statedSize } from '../../../image-bytes.ts';
import { headerWindow } from '../header-window.ts';
import type { RarBlock, RarFile } from './rar-block.ts';

const SIGNATURE = 7;
const BASE = 7;
const FILE_BASE = 32;
const MAIN = 0x73;
const FILE = 0x74;
const END = 0x7b;
const FOLDER = 0xe0;
const STORED = 0x30;

/**
 * Yields the blocks of a RAR of versions 1.5 to 4. Throws a `CatalogError` of kind `refused` if the
 * file is truncated or a header's checksum differs.
 *
 * Source: RARLAB's "RAR 4.x archive format" (technote.txt of WinRAR 4). A block starts with these
 * little-endian fields:
 * - u16 at 0: checksum, the low half of the CRC-32 of the header from the type on;
 * - u8 at 2: type;
 * - u16 at 3: flags;
 * - u16 at 5: length of the header;
 * - u32 at 7, if flag 0x8000 is set: length of the data after the header.
 */
export async function* rar4Blocks(file: ImageBytes): AsyncGenerator<RarBlock> {
  const read = headerWindow(file);
  for (let at = SIGNATURE; at + BASE <= file.size; ) {
    const base = await read(at, BASE);
    const type = base[2];
    const flags = base.readUInt16LE(3);
    const length = base.readUInt16LE(5);
    if (length < BASE) throw refused('it is damaged: a header is too short');
    const header = await read(at, length);
    if ((crc32(header.subarray(2)) & 0xffff) !== header.readUInt16LE(0)) {
      throw refused("it is damaged: a header's checksum differs");
    }
    if (type === END) return;
    let following = 0;
    if (type === FILE) {
      const found = fileOf(header, flags, at + length);
      following = found.packedSize;
      yield found;
    } else {
      if (type === MAIN && (flags & 0x80) !== 0) yield { kind: 'locked' };
      if (type === MAIN && (flags & 0x01) !== 0) yield { kind: 'volume' };
      if ((flags & 0x8000) !== 0 && length >= 11) following = header.readUInt32LE(7);
    }
    at += length + following;
  }
}

function fileOf(header: Buffer, flags: number, start: number): RarFile {
  const isLarge = (flags & 0x100) !== 0;
  const nameAt = FILE_BASE + (isLarge ? 8 : 0);
  if (header.length < nameAt) throw refused('it is damaged: a header is too short');
  const high = (at: number) => (isLarge ? header.readUInt32LE(at) : 0) * 2 ** 32;
  const packedSize = statedSize(BigInt(header.readUInt32LE(7) + high(32)));
  const size = statedSize(BigInt(header.readUInt32LE(11) + high(36)));
  const dictionaryBits = flags & FOLDER;
  return {
    kind: 'file',
    name: nameIn(header.subarray(nameAt, nameAt + header.readUInt16LE(26))),
    size,
    crc32: header.readUInt32LE(16),
    isFolder: dictionaryBits === FOLDER,
    isEncrypted: (flags & 0x04) !== 0,
    isElsewhere: (flags & 0x03) !== 0,
    isStored: header[25] === STORED,
    dictionary: 2 ** (16 + (dictionaryBits >> 5)),
    start,
    packedSize,
  };
}

/**
 * Returns the plain name, which ends at a zero byte. A Unicode name may follow, as a list of
 * changes to the plain name. The Unicode name is ignored.
 */
function nameIn(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  const plain = end < 0 ? bytes : bytes.subarray(0, end);
  return plain.toString('utf8').replaceAll('\\', '/');
}
