import { refused } from '../../core/shared/errors.ts';
import { discText } from './disc-text.ts';

/** Maximum size of a PARAM.SFO, in bytes. Real files have 1 to 5 KiB. */
export const MAX_SFO_BYTES = 64 * 1024;
const MAX_ENTRIES = 256;
/** Formats of text entries: UTF-8 with and without a NUL byte at the end. */
const TEXT_FORMATS = [0x0204, 0x0004];

/**
 * Returns the texts of a PARAM.SFO by key. Skips entries that are numbers. Throws a `CatalogError`
 * of kind `refused` if `bytes` are not a PARAM.SFO.
 *
 * Source: psdevwiki.com "PARAM.SFO" and PPSSPP `Core/ELF/ParamSFO.cpp`. The file starts with five
 * fields of four bytes each: magic, version, offset of the keys, offset of the data, number of
 * entries. The entries follow, with 16 bytes each. All numbers are little-endian.
 */
export function parseParamSfo(bytes: Buffer): Map<string, string> {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== '\0PSF') {
    throw refused('its PARAM.SFO is damaged');
  }
  const keys = bytes.readUInt32LE(8);
  const data = bytes.readUInt32LE(12);
  const count = Math.min(bytes.readUInt32LE(16), MAX_ENTRIES);
  const texts = new Map<string, string>();
  for (let at = 20; at < 20 + 16 * count && at + 16 <= bytes.length; at += 16) {
    if (!TEXT_FORMATS.includes(bytes.readUInt16LE(at + 2))) continue;
    const key = keys + bytes.readUInt16LE(at);
    const start = data + bytes.readUInt32LE(at + 12);
    const text = bytes.subarray(start, start + bytes.readUInt32LE(at + 4));
    texts.set(discText(bytes.subarray(key, key + 64)), discText(text, 'utf8'));
  }
  return texts;
}
