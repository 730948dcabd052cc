import { DatRefused, type DatRom } from '../core/imports/dat.ts';

/**
 * Attributes of a `rom` or `disk` element, as written in the file. The attributes are named as in
 * the Logiqx DTD. Unused attributes are left out.
 */
export interface RomText {
  name?: string | undefined;
  size?: string | undefined;
  crc?: string | undefined;
  md5?: string | undefined;
  sha1?: string | undefined;
  serial?: string | undefined;
  /** `nodump` means that the ROM was never dumped, so its hashes are placeholders. */
  status?: string | undefined;
}

/**
 * Returns the ROM with normalised values. The name stays unchanged. Hashes are validated and
 * converted to lower case. The hashes of a ROM that was never dumped are removed. Throws
 * `DatRefused` if a value is invalid.
 */
export function romOf(text: RomText, line: number): DatRom {
  const isDumped = text.status !== 'nodump';
  return {
    name: text.name ?? '',
    size: sizeOf(text.size, line),
    crc32: isDumped ? crcOf(text.crc, line) : '',
    md5: isDumped ? hashOf('md5', text.md5, MD5, line) : '',
    sha1: isDumped ? hashOf('sha1', text.sha1, SHA1, line) : '',
    serial: text.serial?.trim() ?? '',
  };
}

/**
 * Returns a text in quotes for an error message. A text of more than 40 characters is truncated.
 */
export function excerpt(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}...` : text);
}

const CRC = { pattern: /^[0-9a-f]{1,8}$/, form: '8 hex digits' };
const MD5 = { pattern: /^[0-9a-f]{32}$/, form: '32 hex digits' };
const SHA1 = { pattern: /^[0-9a-f]{40}$/, form: '40 hex digits' };

/**
 * Parses a size. The size is a decimal number, or a hexadecimal number after 0x as in MAME's
 * software lists.
 */
function sizeOf(text: string | undefined, line: number): number | null {
  const value = text?.trim() ?? '';
  if (isPlaceholder(value)) return null;
  if (!/^(?:[0-9]+|0x[0-9a-f]+)$/i.test(value)) {
    throw new DatRefused(line, `rom size ${excerpt(value)} is not a number`);
  }
  const size = Number(value);
  if (!Number.isSafeInteger(size)) {
    throw new DatRefused(line, `rom size ${excerpt(value)} is too large`);
  }
  return size;
}

/**
 * Parses a CRC-32. Some tools write a CRC-32 as a number, with 0x or without leading zeros
 * (logiqx.com/DatFAQs/DatCreation.php).
 */
function crcOf(text: string | undefined, line: number): string {
  const crc = hashOf('crc', text?.trim().replace(/^0x/i, ''), CRC, line);
  return crc === '' ? '' : crc.padStart(8, '0');
}

function hashOf(
  field: string,
  text: string | undefined,
  kind: { pattern: RegExp; form: string },
  line: number,
): string {
  const hash = text?.trim().toLowerCase() ?? '';
  if (isPlaceholder(hash)) return '';
  if (!kind.pattern.test(hash)) {
    throw new DatRefused(line, `rom ${field} ${excerpt(hash)} is not ${kind.form}`);
  }
  return hash;
}

function isPlaceholder(value: string): boolean {
  return value === '' || value === '-';
}
