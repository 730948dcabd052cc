import { inflateRawSync } from 'node:zlib';
import { refused } from '../../../core/shared/errors.ts';
import { unpackLzma } from '../lzma/lzma.ts';
import { prepareZstd, unpackZstd } from '../zstd.ts';
import { cdCodec, cdFlacCodec } from './cd-codecs.ts';
import { unpackFlac } from './flac/flac.ts';
import { unpackHuffman } from './huffman-codec.ts';
import type { Unpack } from './unpack.ts';

/**
 * Returns the codecs with the names `names`. Throws a `CatalogError` of kind `refused` if a name is
 * unknown, such as `avhu` (laser discs).
 *
 * Source: mamedev/mame `src/lib/util/chdcodec.cpp`.
 */
export async function codecsNamed(names: readonly string[]): Promise<Unpack[]> {
  await prepareZstd();
  return names.map((name) => {
    const codec = codecs[name];
    if (codec) return codec();
    throw refused(`it is packed with ${JSON.stringify(name)}, which is not read`);
  });
}

/**
 * For each name, a function that creates the codec. CD codecs cache their last result, so each CHD
 * needs its own codecs.
 */
const codecs: Readonly<Record<string, () => Unpack>> = {
  zlib: () => inflate,
  lzma: () => unpackLzma,
  huff: () => unpackHuffman,
  flac: () => unpackEitherFlac,
  zstd: () => unpackZstd,
  cdzl: () => cdCodec(inflate, inflate),
  cdlz: () => cdCodec(unpackLzma, inflate),
  cdzs: () => cdCodec(unpackZstd, unpackZstd),
  cdfl: () => cdFlacCodec(inflate),
};

function inflate(packed: Buffer, size: number): Buffer {
  // The chunk is slightly larger than needed, because zlib allocates another chunk when a chunk is
  // exactly full.
  return inflateRawSync(packed, { maxOutputLength: size, chunkSize: size + 64 });
}

/**
 * Unpacks the codec `flac`, which packs any data as 16-bit samples. The first byte states the byte
 * order of the samples: `L` means little-endian.
 */
function unpackEitherFlac(packed: Buffer, size: number): Buffer {
  const { bytes } = unpackFlac(packed.subarray(1), size);
  return packed[0] === 0x4c ? bytes.swap16() : bytes;
}
