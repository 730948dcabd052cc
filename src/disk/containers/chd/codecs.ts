import { inflateRawSync } from 'node:zlib';
import { refused } from '../../../core/shared/errors.ts';
import { unpackLzma } from '../lzma/lzma.ts';
import { prepareZstd, unpackZstd } from '../zstd.ts';
import { cdCodec, cdFlacCodec } from './cd-codecs.ts';
import { unpackFlac } from './flac.ts';
import { unpackHuffman } from './huffman-codec.ts';
import type { Unpack } from './unpack.ts';

/**
 * Returns the codecs with these names. Throws a refused `CatalogError` for an unknown one, such as
 * `avhu` of laser discs.
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
 * Creates a codec by name. CD codecs cache what they unpacked last, so each use needs a new one.
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
  // Slightly more than needed: a buffer that is exactly full makes zlib allocate another one.
  return inflateRawSync(packed, { maxOutputLength: size, chunkSize: size + 64 });
}

/**
 * Unpacks FLAC of data that may not be audio; the first byte states the byte order of the samples.
 */
function unpackEitherFlac(packed: Buffer, size: number): Buffer {
  const { bytes } = unpackFlac(packed.subarray(1), size);
  return packed[0] === 0x4c ? bytes.swap16() : bytes;
}
