import type { Container } from '../../core/library/identity.ts';
import { HEAD, markedFormat } from '../cartridges/recognise.ts';
import { type ImageBytes, readUpTo } from '../image-bytes.ts';
import { isTar } from './archives/tar.ts';
import { cdiTables } from './burners/cdi.ts';
import { nrgChunks } from './burners/nrg.ts';
import { hasSubchannels, rawForm } from './burners/raw-sectors.ts';
import { isNintendoCiso } from './nintendo/nintendo-ciso.ts';
import { ccdSheet } from './sheets/ccd.ts';
import { cueSheet } from './sheets/cue.ts';
import { gdiSheet } from './sheets/gdi.ts';
import { m3uSheet } from './sheets/m3u.ts';
import { MOST_SHEET_BYTES, type Sheet, sheetLines } from './sheets/sheet.ts';

const magics: readonly (readonly [magic: string, container: Container])[] = [
  ['CISO', 'cso'],
  ['ZISO', 'zso'],
  ['DAX\0', 'dax'],
  ['MComprHD', 'chd'],
  ['RVZ\x01', 'rvz'],
  ['WIA\x01', 'wia'],
  ['\x01\xc0\x0b\xb1', 'gcz'],
  ['WBFS', 'wbfs'],
  ['WII\x01DISC', 'wdf'],
  ['PK\x03\x04', 'zip'],
  ['PK\x05\x06', 'zip'], // a zip without members
  ["7z\xbc\xaf'\x1c", '7z'],
  ['Rar!\x1a\x07\x00', 'rar'],
  ['Rar!\x1a\x07\x01\x00', 'rar'],
  ['\x1f\x8b\x08', 'gz'],
  ['\xfd7zXZ\x00', 'xz'],
  ['\x28\xb5\x2f\xfd', 'zst'],
  ['\0PBP', 'pbp'],
  ['MEDIA DESCRIPTOR', 'mds'],
  ['ECM\0', 'ecm'],
];

/**
 * Recognises a file's container by its first bytes. Returns `unknown` for a file without a known
 * magic number, which may be a plain image.
 */
export async function recogniseContainer(file: ImageBytes): Promise<Container> {
  const head = await readUpTo(file, 0, HEAD);
  const text = head.toString('latin1');
  const known = magics.find(([magic]) => text.startsWith(magic));
  if (known) return head.length >= 24 && isNintendoCiso(head) ? 'ciso' : known[1];
  if (rawForm(head)) return 'raw';
  const cartridge = markedFormat(head);
  if (cartridge !== null) return cartridge;
  if (isTar(head)) return 'tar';
  return (await readSheet(file))?.container ?? 'unknown';
}

/**
 * Like `recogniseContainer`, but also checks the end of the file and the second sector of a raw
 * image. The file therefore needs random access.
 */
export async function recogniseFile(file: ImageBytes): Promise<Container> {
  const container = await recogniseContainer(file);
  if (container !== 'raw' && container !== 'unknown') return container;
  const atEnd = await byItsEnd(file);
  if (atEnd !== null) return atEnd;
  return container === 'raw' && (await hasSubchannels(file)) ? 'mdf' : container;
}

async function byItsEnd(file: ImageBytes): Promise<Container | null> {
  const length = Math.min(12, file.size);
  const tail = await file.read(file.size - length, length);
  if (nrgChunks(tail) !== null) return 'nrg';
  return cdiTables(tail, file.size) === null ? null : 'cdi';
}

/** Reads a cue, GDI or CloneCD sheet, or a playlist. Returns null for other files. */
export async function readSheet(
  file: ImageBytes,
): Promise<(Sheet & { container: 'cue' | 'gdi' | 'ccd' | 'm3u' }) | null> {
  if (file.size === 0 || file.size > MOST_SHEET_BYTES) return null;
  const bytes = await file.read(0, file.size);
  if (bytes.includes(0)) return null;
  const lines = sheetLines(bytes);
  const cue = cueSheet(lines);
  if (cue) return { container: 'cue', ...cue };
  const gdi = gdiSheet(lines);
  if (gdi) return { container: 'gdi', ...gdi };
  const ccd = ccdSheet(lines);
  if (ccd) return { container: 'ccd', ...ccd };
  const m3u = m3uSheet(lines);
  return m3u && { container: 'm3u', ...m3u };
}
