import { refused } from '../../../core/shared/errors.ts';
import { type ImageBytes, readUpTo, statedSize } from '../../image-bytes.ts';

/** The header of a CHD. Offsets and sizes are in bytes, and may be beyond the end of the file. */
export interface ChdHeader {
  readonly version: number;
  /**
   * Names of up to four codecs, such as `cdlz` or `zlib`. The map refers to a codec by its index in
   * this list. Empty if nothing is compressed.
   */
  readonly codecs: readonly string[];
  /** Size of the unpacked image. */
  readonly size: number;
  readonly hunkBytes: number;
  /**
   * Size of a sector. For a CD, this is 2448, which includes subchannels. Null in version 4, which
   * does not state this size.
   */
  readonly unitBytes: number | null;
  readonly mapOffset: number;
  /** Offset of the metadata, or 0 if there is no metadata. */
  readonly metadataOffset: number;
  /**
   * SHA-1s in lower-case hex; null if the header does not state them. `rawSha1` is the SHA-1 of the
   * image. `sha1` is the SHA-1 of image and metadata. `parentSha1` is the SHA-1 of the required
   * parent.
   */
  readonly rawSha1: string | null;
  readonly sha1: string | null;
  readonly parentSha1: string | null;
}

const V4 = { length: 108, codecs: ['none', 'zlib', 'zlib', 'avhu'] };
const V5_LENGTH = 124;
const HAS_PARENT = 1;

/**
 * Reads the header of a CHD of version 4 or 5. Throws a `CatalogError` of kind `refused` if the
 * header has another version or is damaged.
 *
 * Source: mamedev/mame `docs/source/techspecs/chd.rst` and `src/lib/util/chd.h`. All numbers are
 * big-endian.
 */
export async function readChdHeader(file: ImageBytes): Promise<ChdHeader> {
  const header = await readUpTo(file, 0, V5_LENGTH);
  if (header.length < 16) throw refused('it is cut: its header is not whole');
  const length = header.readUInt32BE(8);
  const version = header.readUInt32BE(12);
  if (version !== 4 && version !== 5) {
    throw refused(`it is a CHD of version ${version}; only versions 4 and 5 are read`);
  }
  const expected = version === 5 ? V5_LENGTH : V4.length;
  if (length !== expected || header.length < expected) {
    throw refused('its header is damaged or cut');
  }
  return version === 5 ? parseV5Header(header) : parseV4Header(header);
}

function parseV5Header(header: Buffer): ChdHeader {
  const names = [16, 20, 24, 28].map((at) => header.toString('latin1', at, at + 4));
  const end = names.indexOf('\0\0\0\0');
  return {
    version: 5,
    codecs: end < 0 ? names : names.slice(0, end),
    size: statedSize(header.readBigUInt64BE(32)),
    mapOffset: statedSize(header.readBigUInt64BE(40)),
    metadataOffset: statedSize(header.readBigUInt64BE(48)),
    hunkBytes: header.readUInt32BE(56),
    unitBytes: header.readUInt32BE(60),
    rawSha1: sha1At(header, 64),
    sha1: sha1At(header, 84),
    parentSha1: sha1At(header, 104),
  };
}

function parseV4Header(header: Buffer): ChdHeader {
  const codec = V4.codecs[header.readUInt32BE(20)] ?? 'unknown';
  const needsParent = (header.readUInt32BE(16) & HAS_PARENT) !== 0;
  return {
    version: 4,
    codecs: codec === 'none' ? [] : [codec],
    size: statedSize(header.readBigUInt64BE(28)),
    metadataOffset: statedSize(header.readBigUInt64BE(36)),
    hunkBytes: header.readUInt32BE(44),
    unitBytes: null,
    mapOffset: V4.length,
    sha1: sha1At(header, 48),
    parentSha1: needsParent ? header.toString('hex', 68, 88) : null,
    rawSha1: sha1At(header, 88),
  };
}

function sha1At(header: Buffer, at: number): string | null {
  const sha1 = header.toString('hex', at, at + 20);
  return /^0*$/.test(sha1) ? null : sha1;
}
