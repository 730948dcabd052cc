import { refused } from '../../../core/shared/errors.ts';
import { unpackBzip2 } from '../bzip2/bzip2.ts';
import { unpackLzmaUpTo } from '../lzma/lzma.ts';
import { unpackLzma2 } from '../lzma/lzma2.ts';
import { prepareZstd, unpackZstd } from '../zstd.ts';
import type { WiaHeader } from './header.ts';

/**
 * Unpacks all of `packed`, but at most `maxBytes` bytes. If `packed` is damaged, returns fewer
 * bytes or throws an error of any kind.
 */
export type UnpackUpTo = (packed: Buffer, maxBytes: number) => Buffer;

/**
 * How the groups of a file are packed: not at all, with PURGE, or as a stream. For a stream, the
 * value is the function that unpacks it.
 */
export type Packing = 'none' | 'purge' | UnpackUpTo;

/** First byte of the LZMA properties lc=3, lp=0, pb=2. No other properties are supported. */
const LZMA_PROPERTIES = 0x5d;

/**
 * Returns the packing of a file. Throws a `CatalogError` of kind `refused` if the method is
 * unknown, or if it is LZMA with properties other than `LZMA_PROPERTIES`.
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
