import { refused } from '../../../core/shared/errors.ts';
import type { ImageBytes } from '../../image-bytes.ts';
import type { ChdHeader } from './header.ts';

/** A piece of a CHD's metadata, as text. */
export interface Metadata {
  /** Four letters, such as `CHT2`. */
  readonly tag: string;
  readonly text: string;
}

/** A CD has one per track, at most 99. */
const MOST_ENTRIES = 256;
const MOST_TEXT = 512;
const ENTRY_HEADER = 16;

/**
 * The metadata of a CHD, in its order; of each the first 512 characters. Throws a refused `CatalogError` when it is cut
 * or leads in a circle.
 *
 * Source: mamedev/mame `src/lib/util/chd.cpp`: per entry its tag, 8 bits of flags, 24 of length, 64 of the next entry's
 * place, or 0.
 */
export async function readMetadata(
  file: ImageBytes,
  { metadataOffset }: ChdHeader,
): Promise<Metadata[]> {
  const found: Metadata[] = [];
  for (let at = BigInt(metadataOffset); at !== 0n; ) {
    if (found.length === MOST_ENTRIES) throw refused('its metadata has no end');
    if (at + BigInt(ENTRY_HEADER) > BigInt(file.size)) {
      throw refused('it is cut: its metadata is missing');
    }
    const header = await file.read(Number(at), ENTRY_HEADER);
    const length = Math.min(header.readUIntBE(5, 3), MOST_TEXT);
    const text = await file.read(Number(at) + ENTRY_HEADER, length);
    found.push({
      tag: header.toString('latin1', 0, 4),
      text: text.toString('latin1').replace(/\0.*$/s, ''),
    });
    at = header.readBigUInt64BE(8);
  }
  return found;
}
