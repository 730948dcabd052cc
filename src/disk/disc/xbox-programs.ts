import { noEdition, type WorldArea } from '../../core/library/identity.ts';
import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo } from '../image-bytes.ts';
import { discText } from './disc-text.ts';

const HEAD = 0x1000;

/**
 * Adds the data from the certificate of an Xbox program to the draft: the serial, the title, and
 * the areas in which the program may be played. The serial is the title id in its printed form: two
 * letters and a number (`MS-098`).
 *
 * Source: xboxdevwiki.net "XBE". All numbers are little-endian. The base address is at 0x104, the
 * address of the certificate at 0x118. The certificate has these fields:
 * - u32 at 8: title id;
 * - UTF-16 text at 0x0C: title;
 * - u32 at 0xA0: regions.
 */
export async function readXbe(file: ImageBytes, draft: Draft): Promise<void> {
  const head = await readUpTo(file, 0, HEAD);
  if (head.length < 0x11c || head.toString('latin1', 0, 4) !== 'XBEH') return;
  const at = head.readUInt32LE(0x118) - head.readUInt32LE(0x104);
  if (at < 0) return;
  const certificate = await readUpTo(file, at, 0xb0);
  if (certificate.length < 0xb0) return;
  setTitleId(certificate.readUInt32LE(8), 3, draft);
  const title = discText(certificate.subarray(0x0c, 0x5c), 'utf16');
  if (title !== '') draft.title = draft.evidence['XBE title'] = title;
  const regions = certificate.readUInt32LE(0xa0);
  const areas = (['america', 'japan', 'europe'] as const).filter((_, i) => regions & (1 << i));
  draft.edition = { ...noEdition, areas };
}

/** For each area, the bits in the region flags of an Xbox 360 program. */
const xexAreas: readonly (readonly [mask: number, area: WorldArea])[] = [
  [0x000000ff, 'america'],
  [0x00000100, 'japan'],
  [0x0000fc00, 'asia'],
  [0x00ff0000, 'europe'],
];

const EXECUTION = 0x00040006;
const MAX_HEADERS = 256;

/**
 * Like `readXbe`, but for an Xbox 360 program. Adds the number of the disc in its set instead of
 * the title.
 *
 * Source: free60.org "XEX". All numbers are big-endian. The program has these fields:
 * - u32 at 0x10: offset of the security information;
 * - u32 at 0x14: number of headers;
 * - from 0x18 on: the headers, each with a key (u32) and a value (u32).
 *
 * The value of the header with the key 0x00040006 is the offset of the execution information. The
 * execution information has these fields:
 * - u32 at 12: title id;
 * - u8 at 18: number of the disc;
 * - u8 at 19: number of discs.
 *
 * The security information contains the regions (u32) at 0x178.
 */
export async function readXex(file: ImageBytes, draft: Draft): Promise<void> {
  const head = await readUpTo(file, 0, HEAD);
  if (head.length < 0x18 || head.toString('latin1', 0, 4) !== 'XEX2') return;
  const end = Math.min(head.length, 0x18 + 8 * Math.min(head.readUInt32BE(0x14), MAX_HEADERS));
  for (let at = 0x18; at + 8 <= end; at += 8) {
    if (head.readUInt32BE(at) !== EXECUTION) continue;
    const execution = await readUpTo(file, head.readUInt32BE(at + 4), 24);
    if (execution.length < 24) return;
    setTitleId(execution.readUInt32BE(12), 4, draft);
    const [disc = 0, count = 0] = execution.subarray(18, 20);
    const security = await readUpTo(file, head.readUInt32BE(0x10) + 0x178, 4);
    const regions = security.length === 4 ? security.readUInt32BE(0) : 0;
    const areas = xexAreas.filter(([mask]) => (regions & mask) !== 0).map(([, area]) => area);
    draft.edition = { ...noEdition, disc: count > 1 && disc > 0 ? disc : null, areas };
    return;
  }
}

/**
 * Sets the draft's serial from a title id. A title id consists of two letters for the publisher and
 * a 16-bit number. `digits` is the minimum number of digits in the serial.
 */
function setTitleId(id: number, digits: number, draft: Draft): void {
  const publisher = String.fromCharCode(id >>> 24, (id >>> 16) & 0xff);
  draft.evidence['title id'] = id.toString(16).padStart(8, '0');
  if (!/^[A-Z0-9]{2}$/.test(publisher)) return;
  draft.serial = `${publisher}-${String(id & 0xffff).padStart(digits, '0')}`;
}
