import { type Area, noEdition } from '../../core/library/identity.ts';
import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo } from '../image-bytes.ts';
import { discText } from './disc-text.ts';

const HEAD = 0x1000;

/**
 * Takes what an Xbox program's certificate states: its title id, which is printed as two letters
 * and a number (`MS-098`), the title, and where it may be played.
 *
 * Source: xboxdevwiki.net "XBE", little-endian: base address at 0x104, the certificate's at 0x118;
 * in the certificate the title id at 8, the title at 0x0C in UTF-16, regions at 0xA0.
 */
export async function readXbe(file: ImageBytes, draft: Draft): Promise<void> {
  const head = await readUpTo(file, 0, HEAD);
  if (head.length < 0x11c || head.toString('latin1', 0, 4) !== 'XBEH') return;
  const at = head.readUInt32LE(0x118) - head.readUInt32LE(0x104);
  if (at < 0) return;
  const certificate = await readUpTo(file, at, 0xb0);
  if (certificate.length < 0xb0) return;
  takeTitleId(certificate.readUInt32LE(8), 3, draft);
  const title = discText(certificate.subarray(0x0c, 0x5c), 'utf16');
  if (title !== '') draft.title = draft.evidence['XBE title'] = title;
  const regions = certificate.readUInt32LE(0xa0);
  const areas = (['america', 'japan', 'europe'] as const).filter((_, i) => regions & (1 << i));
  draft.edition = { ...noEdition, areas };
}

/** Areas by bits of the region flags. */
const xexAreas: readonly (readonly [mask: number, area: Area])[] = [
  [0x000000ff, 'america'],
  [0x00000100, 'japan'],
  [0x0000fc00, 'asia'],
  [0x00ff0000, 'europe'],
];

const EXECUTION = 0x00040006;
const MOST_HEADERS = 256;

/**
 * Like `readXbe`, for an Xbox 360 program; also takes its number in a set of discs.
 *
 * Source: free60.org "XEX", big-endian: position of the security information at 0x10, number of
 * headers at 0x14, then a key and a value for each. The value of execution information (0x00040006)
 * is its position; there the title id is at 12, the disc's number at 18 and the number of discs at
 * 19. Regions are at 0x178 of the security information.
 */
export async function readXex(file: ImageBytes, draft: Draft): Promise<void> {
  const head = await readUpTo(file, 0, HEAD);
  if (head.length < 0x18 || head.toString('latin1', 0, 4) !== 'XEX2') return;
  const end = Math.min(head.length, 0x18 + 8 * Math.min(head.readUInt32BE(0x14), MOST_HEADERS));
  for (let at = 0x18; at + 8 <= end; at += 8) {
    if (head.readUInt32BE(at) !== EXECUTION) continue;
    const execution = await readUpTo(file, head.readUInt32BE(at + 4), 24);
    if (execution.length < 24) return;
    takeTitleId(execution.readUInt32BE(12), 4, draft);
    const [disc = 0, count = 0] = execution.subarray(18, 20);
    const security = await readUpTo(file, head.readUInt32BE(0x10) + 0x178, 4);
    const regions = security.length === 4 ? security.readUInt32BE(0) : 0;
    const areas = xexAreas.filter(([mask]) => (regions & mask) !== 0).map(([, area]) => area);
    draft.edition = { ...noEdition, disc: count > 1 && disc > 0 ? disc : null, areas };
    return;
  }
}

/** Takes a title id: the publisher's two letters and its number for the title. */
function takeTitleId(id: number, digits: number, draft: Draft): void {
  const publisher = String.fromCharCode(id >>> 24, (id >>> 16) & 0xff);
  draft.evidence['title id'] = id.toString(16).padStart(8, '0');
  if (!/^[A-Z0-9]{2}$/.test(publisher)) return;
  draft.serial = `${publisher}-${String(id & 0xffff).padStart(digits, '0')}`;
}
