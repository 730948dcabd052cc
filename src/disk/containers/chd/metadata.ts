import { refused } from '../../../core/shared/errors.ts';
import type { ImageBytes } from '../../image-bytes.ts';
import type { ChdHeader } from './header.ts';

/** An entry of a CHD's metadata, as text. */
export interface Metadata {
  /** Four characters, such as `CHT2`. */
  readonly tag: string;
  readonly text: string;
}

/**
 * The position of a metadata entry in the file. `start` and `length` are in bytes and may be beyond
 * the end of the file.
 */
interface MetadataPlace {
  readonly tag: string;
  readonly flags: number;
  readonly start: number;
  /** Length, below 16 MiB. */
  readonly length: number;
}

/** Maximum number of metadata entries. A CD has one entry per track, at most 99. */
const MAX_ENTRIES = 256;
const MAX_TEXT_BYTES = 512;
const ENTRY_HEADER = 16;

/**
 * Returns the metadata entries of a CHD in order. Each text is truncated to 512 characters. Throws
 * the same errors as `walkMetadata`.
 */
export async function readMetadata(file: ImageBytes, header: ChdHeader): Promise<Metadata[]> {
  const found: Metadata[] = [];
  for await (const { tag, start, length } of walkMetadata(file, header)) {
    const text = await file.read(start, Math.min(length, MAX_TEXT_BYTES));
    found.push({ tag, text: text.toString('latin1').replace(/\0.*$/s, '') });
  }
  return found;
}

/**
 * Yields the position of every metadata entry in order. Throws a `CatalogError` of kind `refused`
 * if the metadata is truncated or circular.
 *
 * Source: mamedev/mame `src/lib/util/chd.cpp`. An entry has these big-endian fields, followed by
 * the data:
 * - 4 bytes at 0: tag;
 * - u8 at 4: flags;
 * - u24 at 5: length of the data;
 * - u64 at 8: offset of the next entry, or 0 in the last entry.
 */
export async function* walkMetadata(
  file: ImageBytes,
  { metadataOffset }: ChdHeader,
): AsyncGenerator<MetadataPlace> {
  let count = 0;
  for (let at = BigInt(metadataOffset); at !== 0n; count += 1) {
    if (count === MAX_ENTRIES) throw refused('its metadata has no end');
    if (at + BigInt(ENTRY_HEADER) > BigInt(file.size)) {
      throw refused('it is cut: its metadata is missing');
    }
    const header = await file.read(Number(at), ENTRY_HEADER);
    yield {
      tag: header.toString('latin1', 0, 4),
      flags: header.readUInt8(4),
      start: Number(at) + ENTRY_HEADER,
      length: header.readUIntBE(5, 3),
    };
    at = header.readBigUInt64BE(8);
  }
}
