import { refused } from '../../../core/shared/errors.ts';
import { checkRange, type ImageBytes, readUpTo, statedSize } from '../../image-bytes.ts';

const HEADER = 0x38;
const MAGIC = 'WII\x01DISC';
/** Maximum size of an image, in bytes. This is twice the size of a Wii disc with two layers. */
const MAX_BYTES = 2 ** 34;
/** Number of table entries that are read and cached at a time. */
const PAGE = 2048;

/** A piece of the image that is stored in the file. All fields are in bytes. */
interface Piece {
  /** Offset of the piece in the image. `place` is the offset of the piece in the file. */
  readonly start: number;
  readonly place: number;
  readonly size: number;
}

/**
 * Opens the disc in a WDF of version 1 or 2. Gaps between the pieces of the disc read as zeros.
 * Throws a `CatalogError` of kind `refused` if the header or the table is impossible.
 *
 * Source: Wiimm's "WDF.txt" (wit.wiimm.de). The header has these big-endian fields:
 * - u32 at 8: version;
 * - u64 at 0x18: size of the image;
 * - u32 at 0x2C: number of pieces;
 * - u64 at 0x30: offset of the table of pieces.
 *
 * The table starts with the file's magic. Each entry has these fields (u64 each): offset in the
 * image, offset in the file, size of the piece. In version 1, four unused bytes precede these
 * fields. The program wit always writes a table in which the last piece ends at the end of the
 * image.
 */
export async function openWdf(file: ImageBytes): Promise<ImageBytes> {
  const header = await file.read(0, HEADER);
  const version = header.readUInt32BE(8);
  if (version !== 1 && version !== 2) {
    throw refused(`it is a WDF of version ${version}; only versions 1 and 2 are read`);
  }
  const size = statedSize(header.readBigUInt64BE(0x18));
  const count = header.readUInt32BE(0x2c);
  const table = statedSize(header.readBigUInt64BE(0x30)) + MAGIC.length;
  const entry = version === 1 ? 28 : 24;
  if (table + entry * count > file.size) throw refused('it is cut: its table is not whole');
  const magic = await file.read(table - MAGIC.length, MAGIC.length);
  if (magic.toString('latin1') !== MAGIC) throw refused('its table is damaged');
  const pieces = pieceTable(file, { table, entry, count, version });
  const last = count > 0 ? await pieces.at(count - 1) : { start: 0, size: 0 };
  if (last.start + last.size !== size || size > MAX_BYTES) {
    throw refused(`its header or table is damaged: it says to hold ${size} bytes`);
  }
  return {
    size,
    async read(offset, length) {
      checkRange({ size }, offset, length);
      const bytes = Buffer.alloc(length);
      const end = offset + length;
      for (let index = await pieces.before(offset); index < count; index += 1) {
        const { start, place, size: has } = await pieces.at(index);
        if (start >= end) break;
        const from = Math.max(start, offset);
        const available = Math.min(start + has, end) - from;
        if (available > 0)
          (await file.read(place + from - start, available)).copy(bytes, from - offset);
      }
      return bytes;
    },
  };
}

function pieceTable(
  file: ImageBytes,
  { table, entry, count, version }: Record<'table' | 'entry' | 'count' | 'version', number>,
) {
  let first = 0;
  let page: Buffer = Buffer.alloc(0);

  async function at(index: number): Promise<Piece> {
    if (index < first || (index - first) * entry >= page.length) {
      first = index;
      page = await readUpTo(file, table + index * entry, Math.min(PAGE, count - index) * entry);
    }
    const from = (index - first) * entry + (version === 1 ? 4 : 0);
    return {
      start: statedSize(page.readBigUInt64BE(from)),
      place: statedSize(page.readBigUInt64BE(from + 8)),
      size: statedSize(page.readBigUInt64BE(from + 16)),
    };
  }

  return {
    at,
    /**
     * Returns the index of the last piece that starts at or before `offset`. Returns 0 if there is
     * no such piece.
     */
    async before(offset: number): Promise<number> {
      let low = 0;
      let high = count;
      const known = Math.floor(page.length / entry);
      // Search the cached entries first, because consecutive reads usually go through the table in
      // order.
      if (known > 0 && (await at(first)).start <= offset) {
        low = first;
        if ((await at(first + known - 1)).start > offset) high = first + known;
      }
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        const near = middle >= first && middle < first + Math.floor(page.length / entry);
        const start = near ? (await at(middle)).start : await startOf(middle);
        if (start <= offset) low = middle;
        else high = middle;
      }
      return low;
    },
  };

  async function startOf(index: number): Promise<number> {
    const bytes = await file.read(table + index * entry + (version === 1 ? 4 : 0), 8);
    return statedSize(bytes.readBigUInt64BE(0));
  }
}
