import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, readUpTo } from '../../image-bytes.ts';
import { ByteReader } from './byte-reader.ts';
import { needDictionary } from './dictionary.ts';
import { addMember, type MemberList } from './members.ts';

const HEADER = 12;
const FOOTER = 12;
/** Blocks of 24 MiB of 128 GiB need 40 KiB. */
const MOST_INDEX = 256 * 1024;
const LZMA2 = 0x21;

/**
 * Reads the unpacked size from the index at the end of an xz file, and the dictionary that it needs. Throws a refused
 * `CatalogError` when it is cut or damaged.
 *
 * Source: "The .xz File Format" 1.2.0 (tukaani.org): the footer states the index's length in words of four bytes; the index
 * has for every block its packed and its unpacked size.
 */
export async function listXz(file: ImageBytes, list: MemberList): Promise<void> {
  const dictionary = dictionaryIn(await readUpTo(file, HEADER, 1024));
  if (file.size < HEADER + FOOTER) throw refused('it is cut: its end is missing');
  const footer = await file.read(file.size - FOOTER, FOOTER);
  if (footer.toString('latin1', 10) !== 'YZ') throw refused('it is cut: its end is missing');
  const length = (footer.readUInt32LE(4) + 1) * 4;
  if (length > Math.min(MOST_INDEX, file.size - HEADER - FOOTER)) {
    throw refused('it is damaged: its index is too long');
  }
  const index = new ByteReader(await file.read(file.size - FOOTER - length, length));
  if (index.byte() !== 0) throw refused('it is damaged: its index is none');
  let size = 0;
  for (let blocks = index.number7(); blocks > 0; blocks -= 1) {
    index.number7();
    size += index.number7();
  }
  needDictionary(list, Math.min(dictionary, size));
  addMember(list, { name: '', size, crc32: null, openStart: null });
}

/** Of the first block; the others are bounded when they are unpacked. */
function dictionaryIn(block: Buffer): number {
  const fields = new ByteReader(block);
  fields.byte(); // length
  const flags = fields.byte();
  if ((flags & 0x40) !== 0) fields.number7();
  if ((flags & 0x80) !== 0) fields.number7();
  for (let filters = (flags & 3) + 1; filters > 0; filters -= 1) {
    const id = fields.number7();
    const [bits = 0] = fields.bytes(fields.number7());
    if (id !== LZMA2) continue;
    return bits >= 40 ? 2 ** 32 : (2 | (bits & 1)) * 2 ** ((bits >> 1) + 11);
  }
  return 0;
}
