import type { CartridgeFormat } from '../../core/library/containers.ts';
import type { RomForm } from '../../core/library/identity.ts';
import {
  type ByteTransform,
  chained,
  deinterleaved,
  dropFirst,
  padded,
  swapped,
} from './byte-transforms.ts';

/** Another form of a dump, and the transform that converts the file to this form. */
export interface PlannedForm {
  readonly form: RomForm['form'];
  readonly transform: ByteTransform;
}

const headers = { ines: 16, fds: 16, lnx: 64, a78: 128, copier: 512 } as const;

const MIB = 1024 * 1024;
/** Sizes of Game Boy Advance chips in bytes: powers of two. */
const gbaChips = [1, 2, 4, 8, 16, 32].map((mib) => mib * MIB);
/** Byte values that fill the unused end of a chip: usually 0xFF, sometimes 0x00. */
const paddings = [0xff, 0x00];

/**
 * Returns the other forms in which DATs may list a dump: without the header, in the console's byte
 * order, or with the trimmed end restored. `head` is the start of the dump. `size` is the full size
 * of the dump in bytes.
 */
export function otherForms(format: CartridgeFormat, head: Buffer, size: number): PlannedForm[] {
  switch (format) {
    case 'smd':
      return [{ form: 'deinterleaved', transform: chained(dropFirst(512), deinterleaved()) }];
    case 'n64':
      return nintendo64Forms(head);
    case 'nds':
      // Byte 0x14 of the header states how many times the chip's size was doubled, starting at 128
      // KiB.
      return padding(size, [(MIB / 8) << head.readUInt8(0x14)]);
    case 'gba':
      return padding(size, gbaChips);
    default:
      return [{ form: 'headerless', transform: dropFirst(headers[format]) }];
  }
}

function nintendo64Forms(head: Buffer): PlannedForm[] {
  const first = head.readUInt8(0);
  if (first === 0x80) return [];
  return [{ form: 'big-endian', transform: swapped(first === 0x37 ? 2 : 4) }];
}

function padding(size: number, chips: readonly number[]): PlannedForm[] {
  if (chips.includes(size)) return [];
  return chips
    .filter((chip) => chip > size)
    .flatMap((chip) =>
      paddings.map((byte) => ({ form: 'padded', transform: padded(chip - size, byte) }) as const),
    );
}
