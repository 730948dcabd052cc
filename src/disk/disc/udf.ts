import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo } from '../image-bytes.ts';
import { discText } from './disc-text.ts';

const SECTOR = 2048;
const ANCHOR = 256;
const MOST_DESCRIPTORS = 32;

const tags = { anchor: 2, logicalVolume: 6, end: 8 };

/**
 * Reads the volume's name of a disc with UDF, such as a Blu-ray without ISO 9660; false when it is none.
 *
 * Source: ECMA-167 3rd edition: 3/7.2 the tag and its checksum, 3/10.2 the anchor in sector 256, with the length and sector
 * of the volume descriptors at 16; 3/10.6 the logical volume descriptor, its identifier at 84 in 128 bytes; 1/7.2.12 the
 * last of them is the length. UDF 2.1.1: the first says whether characters have 8 or 16 bits.
 */
export async function readUdf(image: ImageBytes, draft: Draft): Promise<boolean> {
  const anchor = await descriptorAt(image, ANCHOR);
  if (anchor === null || anchor.readUInt16LE(0) !== tags.anchor) return false;
  const count = Math.min(Math.floor(anchor.readUInt32LE(16) / SECTOR), MOST_DESCRIPTORS);
  const first = anchor.readUInt32LE(20);
  for (let sector = first; sector < first + count; sector += 1) {
    const descriptor = await descriptorAt(image, sector);
    if (descriptor === null || descriptor.readUInt16LE(0) === tags.end) break;
    if (descriptor.readUInt16LE(0) !== tags.logicalVolume) continue;
    const name = udfText(descriptor.subarray(84, 212));
    if (name !== '') draft.title = draft.evidence['volume id'] = name;
    break;
  }
  return true;
}

/** Null where no descriptor is that belongs there. */
async function descriptorAt(image: ImageBytes, sector: number): Promise<Buffer | null> {
  if ((sector + 1) * SECTOR > image.size) return null;
  const bytes = await readUpTo(image, sector * SECTOR, SECTOR);
  const sum = bytes.subarray(0, 16).reduce((all, byte, at) => (at === 4 ? all : all + byte), 0);
  return sum % 256 === bytes[4] && bytes.readUInt32LE(12) === sector ? bytes : null;
}

function udfText(field: Buffer): string {
  const text = field.subarray(1, Math.min(field.at(-1) ?? 0, field.length - 1));
  if (field[0] === 8) return discText(text);
  if (field[0] !== 16) return '';
  return discText(Buffer.from(text.subarray(0, text.length & ~1)).swap16(), 'utf16');
}
