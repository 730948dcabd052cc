import { refused } from '../../../core/shared/errors.ts';
import { unpackBzip2 } from '../bzip2/bzip2.ts';
import { unpackLzmaUpTo } from '../lzma/lzma.ts';
import { unpackLzma2 } from '../lzma/lzma2.ts';
import { prepareZstd, unpackZstd } from '../zstd.ts';
import type { WiaHeader } from './header.ts';

/**
 * Unpacks all of `packed`, but at most `most` bytes. If `packed` is damaged, returns fewer bytes or
 * throws an error of any kind.
 */
export type UnpackUpTo = (packed: Buffer, most: number) => Buffer;

/**
 * The way in which the groups of a file are packed: not at all, with PURGE, or as a stream that
 * this function unpacks.
 */
export type Packing = 'none' | 'purge' | UnpackUpTo;

/** The LZMA properties lc=3, lp=0, pb=2, the only ones that are supported. */
const LZMA_PROPERTIES = 0x5d;

/**
 * Returns how a file is packed. Throws a refused `CatalogError` for an unknown method, and for LZMA
 * with other properties than `LZMA_PROPERTIES`.
 */
export async function packingOf(header: WiaHeader): Promise<Packing> {
  await prepareZstd();
  const { compression, compressionData, isRvz } = header;
  const known: (Packing | null)[] = [
    'none',
    isRvz ? null : 'purge',
    unpackBzip2,
    compressionData[0] === LZMA_PROPERTIES ? unpackLzmaUpTo : null,
    unpackLzma2,
    isRvz ? unpackZstd : null,
  ];
  const packing = known[compression];
  if (packing) return packing;
  throw refused(`it is packed with method ${compression} in a form that is not read`);
}
