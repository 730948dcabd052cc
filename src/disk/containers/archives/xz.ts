import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, readUpTo } from '../../image-bytes.ts';
import { ByteReader } from './byte-reader.ts';
import { needDictionary, refuseDictionary } from './dictionary.ts';
import { addMember, hex32, type MemberList } from './members.ts';

const HEADER = 12;
const FOOTER = 12;
/**
 * Maximum size of an index, in bytes. The index of 128 GiB in blocks of 24 MiB has about 40 KiB.
 */
const MAX_INDEX_BYTES = 256 * 1024;
const LZMA2 = 0x21;
/**
 * Maximum number of streams in a file. Programs that pack in parallel write several streams.
 * Joining files with `cat` also results in several streams.
 */
const MAX_STREAMS = 1000;
const MAX_PADDING_BYTES = 4096;
/** Number of the check type CRC-32. */
const CRC32 = 1;

/**
 * Adds the member of an xz file to the list. Records the dictionary size for unpacking. The
 * unpacked size is the sum of the sizes in the indexes of all streams.
 *
 * The member has a CRC-32 only if the file has exactly one block and the check type is CRC-32.
 * 7-Zip and `xz --check=crc32` write such files. Throws a `CatalogError` of kind `refused` if the
 * file is truncated or damaged.
 *
 * Source: "The .xz File Format" 1.2.0 (tukaani.org). A stream ends with an index and a footer. The
 * footer states the length of the index in words of four bytes. For every block, the index states
 * the packed length without padding and the unpacked size. Each block ends with its check. A file
 * may contain several streams, with zeros between the streams.
 */
export async function listXz(file: ImageBytes, list: MemberList): Promise<void> {
  const dictionary = dictionaryIn(await readUpTo(file, HEADER, 1024));
  let size = 0;
  let blocks: Block[] = [];
  for (let end = file.size, streams = 0; end > 0; streams += 1) {
    if (streams === MAX_STREAMS) throw refused(`it has more than ${MAX_STREAMS} streams`);
    const stream = await readStream(file, await endOfStream(file, end));
    blocks = [...stream.blocks, ...blocks].slice(0, 2);
    size += stream.size;
    end = stream.start;
  }
  refuseDictionary(list, dictionary);
  needDictionary(list, Math.min(dictionary, size));
  const [only, ...others] = blocks;
  const at = others.length === 0 ? (only?.sumAt ?? null) : null;
  const crc32 = at === null ? null : hex32((await file.read(at, 4)).readUInt32LE(0));
  addMember(list, { name: '', size, crc32, openStart: null });
}

interface Block {
  /** Offset of the block's CRC-32 in the file. Null if the block has another check type. */
  readonly sumAt: number | null;
}

/**
 * Returns the offset at which a stream ends. Skips up to `MAX_PADDING_BYTES` zeros before `end`,
 * because zeros may follow a stream.
 */
async function endOfStream(file: ImageBytes, end: number): Promise<number> {
  const length = Math.min(end, MAX_PADDING_BYTES);
  const tail = await file.read(end - length, length);
  const last = tail.findLastIndex((byte) => byte !== 0);
  return end - length + last + 1;
}

async function readStream(file: ImageBytes, end: number) {
  if (end < HEADER + FOOTER) throw refused('it is cut: its end is missing');
  const footer = await file.read(end - FOOTER, FOOTER);
  if (footer.toString('latin1', 10) !== 'YZ') throw refused('it is cut: its end is missing');
  const length = (footer.readUInt32LE(4) + 1) * 4;
  if (length > Math.min(MAX_INDEX_BYTES, end - HEADER - FOOTER)) {
    throw refused('it is damaged: its index is too long');
  }
  const index = new ByteReader(await file.read(end - FOOTER - length, length));
  if (index.byte() !== 0) throw refused('it is damaged: its index is none');
  const places: number[] = [];
  let size = 0;
  let packed = 0;
  for (let left = index.number7(); left > 0; left -= 1) {
    packed += Math.ceil(index.number7() / 4) * 4;
    places.push(packed);
    size += index.number7();
  }
  const start = end - FOOTER - length - packed - HEADER;
  if (start < 0) throw refused('it is damaged: its blocks are longer than the file');
  const hasSum = ((footer[9] ?? 0) & 15) === CRC32;
  const blocks: Block[] = places
    .slice(0, 2)
    .map((after) => ({ sumAt: hasSum ? start + HEADER + after - 4 : null }));
  return { start, size, blocks };
}

/**
 * Returns the dictionary size of the first block, in bytes. The dictionary sizes of other blocks
 * are checked when those blocks are unpacked.
 */
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
