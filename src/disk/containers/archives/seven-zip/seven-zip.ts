import { crc32 } from 'node:zlib';
import { refused } from '../../../../core/shared/errors.ts';
import { type ImageBytes, readLong, sliceOf, statedSize } from '../../../image-bytes.ts';
import { unpackLzma } from '../../lzma/lzma.ts';
import { ByteReader } from '../byte-reader.ts';
import { needDictionary } from '../dictionary.ts';
import { addMember, hex32, type MemberList, startOf } from '../members.ts';
import { encrypted } from '../rar/rar.ts';
import { filesIn } from './seven-zip-files.ts';
import { dictionaryOf, type Folder } from './seven-zip-folders.ts';
import { type Streams, streamsIn } from './seven-zip-streams.ts';

const START = 32;
const HEADER = 0x01;
const PACKED_HEADER = 0x17;
const MAIN_STREAMS = 0x04;
const ARCHIVE_PROPERTIES = 0x02;
const MORE_STREAMS = 0x03;
const FILES = 0x05;
/**
 * Maximum size of a header in bytes, both packed and unpacked. This is enough for 10,000 members
 * with long names.
 */
const MAX_HEADER_BYTES = 4 * 1024 * 1024;
/**
 * Header size, in bytes, above which the reader first awaits `beforeMany`. A smaller header rarely
 * describes `manyMembers` members, because names take two bytes per character.
 */
const LONG_HEADER = 64 * 1024;
/**
 * Maximum number of times that a header may be packed, one layer inside another. 7-Zip packs a
 * header once.
 */
const MAX_LAYERS = 4;

const COPY = '00';
const LZMA = '030101';
const AES = '06f10701';
/**
 * First byte of the LZMA properties lc=3, lp=0, pb=2. 7-Zip packs headers with these properties,
 * and `unpackLzma` supports no others.
 */
const USUAL_LZMA = 93;

/**
 * Adds the members of a 7z to the list. The header at the end of the file describes the members and
 * may be packed. Throws a `CatalogError` of kind `refused` if the file is truncated or damaged, or
 * if the header is encrypted. After such an error, the list contains the members before the damage.
 *
 * Source: Igor Pavlov's "7z Format description" (7zFormat.txt of the LZMA SDK).
 */
export async function listSevenZip(file: ImageBytes, list: MemberList): Promise<void> {
  const start = await file.read(0, START);
  if (crc32(start.subarray(12)) !== start.readUInt32LE(8)) {
    throw refused("it is damaged: its first header's checksum differs");
  }
  const offset = START + statedSize(start.readBigUInt64LE(12));
  const size = statedSize(start.readBigUInt64LE(20));
  if (size === 0) throw refused('it holds no file');
  if (offset + size > file.size) throw refused('it is cut: its header is missing');
  if (size > MAX_HEADER_BYTES) throw refused(`its header has ${size} bytes, which is not read`);
  if (size > LONG_HEADER) await list.beforeMany();
  let header = await readLong(file, offset, size);
  if (crc32(header) !== start.readUInt32LE(28)) {
    throw refused("it is damaged: its header's checksum differs");
  }
  for (let i = 0; header[0] === PACKED_HEADER; i += 1) {
    if (i === MAX_LAYERS) throw refused('it is damaged: its header is packed again and again');
    const streams = streamsIn(new ByteReader(header.subarray(1)));
    if ((streams.folders[0]?.size ?? 0) > LONG_HEADER) await list.beforeMany();
    header = await unpackedHeader(file, streams);
  }
  const fields = new ByteReader(header);
  if (fields.number8() !== HEADER) throw refused('it is damaged: its header is none');
  readHeader(file, fields, list);
  if (list.members.length === 0) throw refused('it holds no file');
}

async function unpackedHeader(file: ImageBytes, { folders, packed }: Streams): Promise<Buffer> {
  const [folder] = folders;
  const [place] = packed;
  const [coder] = folder?.coders ?? [];
  if (!folder || !place || !coder) throw refused('it is damaged: its header is not there');
  if (folder.coders.some(({ method }) => method === AES)) throw refused(encrypted);
  if (place.size > MAX_HEADER_BYTES || folder.size > MAX_HEADER_BYTES) {
    throw refused(`its header has ${folder.size} bytes, which is not read`);
  }
  const bytes = await readLong(file, START + place.start, place.size);
  const isUsual = folder.coders.length === 1 && coder.method === LZMA;
  const plain = isUsual && coder.properties[0] === USUAL_LZMA ? lzma(bytes, folder.size) : bytes;
  const isKnown = plain !== bytes || coder.method === COPY;
  if (!isKnown) throw refused(`its header is packed by a method that is not read`);
  if (folder.crc32 !== null && crc32(plain) !== folder.crc32) {
    throw refused("it is damaged: its header's checksum differs");
  }
  return plain;
}

function lzma(bytes: Buffer, size: number): Buffer {
  try {
    return unpackLzma(bytes, size);
  } catch (error) {
    throw refused('it is damaged: its header cannot be unpacked', error);
  }
}

function readHeader(file: ImageBytes, fields: ByteReader, list: MemberList): void {
  let streams: Streams = { folders: [], packed: [], parts: [] };
  for (let id = fields.number8(); id !== 0; id = fields.number8()) {
    if (id === MAIN_STREAMS) streams = streamsIn(fields);
    else if (id === MORE_STREAMS) streamsIn(fields);
    else if (id === ARCHIVE_PROPERTIES) skipProperties(fields);
    else if (id === FILES) addFiles(file, fields, streams, list);
    else throw refused('it is damaged: its header has a part that is not known');
  }
}

function skipProperties(fields: ByteReader): void {
  while (fields.number8() !== 0) fields.skip(fields.number8());
}

function addFiles(file: ImageBytes, fields: ByteReader, streams: Streams, list: MemberList): void {
  for (const folder of streams.folders) checkFolder(folder, list);
  const end = streams.packed.at(-1);
  if (end && START + end.start + end.size > file.size) throw refused('it is cut');
  let next = 0;
  for (const { name, hasStream, isFolder } of filesIn(fields)) {
    if (!hasStream) {
      if (!isFolder) addMember(list, { name, size: 0, crc32: '00000000', openStart: null });
      continue;
    }
    const part = streams.parts[next];
    if (!part) throw refused('it is damaged: it names more files than it has');
    next += 1;
    const { size, crc32: sum, start } = part;
    addMember(list, {
      name,
      size,
      crc32: sum === null ? null : hex32(sum),
      openStart: start === null ? null : startOf(sliceOf(file, START + start, size)),
    });
  }
}

/**
 * Records the dictionary size for unpacking a folder. Sets the list's problem if the folder is
 * encrypted.
 */
function checkFolder(folder: Folder, list: MemberList): void {
  let needed = 0;
  for (const coder of folder.coders) {
    if (coder.method === AES) list.problem ??= encrypted;
    needed += Math.min(dictionaryOf(coder), folder.size);
  }
  needDictionary(list, needed);
}
