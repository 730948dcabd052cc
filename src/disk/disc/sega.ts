import type { DiscKind } from '../../core/library/discs.ts';
import type { Edition, WorldArea } from '../../core/library/identity.ts';
import type { Draft } from '../draft.ts';
import { discText } from './disc-text.ts';

type Field = readonly [start: number, end: number];
type Layout = {
  readonly magic: readonly string[];
  readonly disc: DiscKind;
  readonly product: Field;
  readonly version?: Field;
  /** Field with the number of this disc and the number of discs: `CD-1/2`, `GD-ROM1/2`. */
  readonly device?: Field;
  readonly areas: Field;
  /** Fields that may contain the title. The first field that is not empty is used. */
  readonly titles: readonly Field[];
};

const layouts: readonly Layout[] = [
  {
    magic: ['SEGA SEGASATURN '],
    disc: 'saturn',
    product: [0x20, 0x2a],
    version: [0x2a, 0x30],
    device: [0x38, 0x40],
    areas: [0x40, 0x4a],
    titles: [[0x60, 0xd0]],
  },
  {
    magic: ['SEGA SEGAKATANA '],
    disc: 'dreamcast',
    product: [0x40, 0x4a],
    version: [0x4a, 0x50],
    device: [0x25, 0x30],
    areas: [0x30, 0x38],
    titles: [[0x80, 0x100]],
  },
  {
    magic: ['SEGADISCSYSTEM  ', 'SEGABOOTDISC    ', 'SEGADISC        ', 'SEGADATADISC    '],
    disc: 'mega-cd',
    product: [0x180, 0x18e],
    areas: [0x1f0, 0x200],
    titles: [
      [0x150, 0x180],
      [0x120, 0x150],
    ],
  },
];

/**
 * Identifies a Saturn, Dreamcast or Mega-CD disc by its first 0x200 bytes. Returns false if the
 * disc is of another kind. The serial is the product number in the disc's header. The printed
 * product number may differ: it may lack the `MK-` prefix, or have a region's `-50` at its end.
 *
 * Source: Sega's "Disc Format Standards Specification" (Saturn, Mega-CD); Marcus Comstedt's
 * mc.pp.se/dc (the Dreamcast's IP.BIN); GerbilSoft/rom-properties `SegaSaturn.cpp`,
 * `Dreamcast.cpp`, `MegaDrive.cpp`.
 */
export function readSega(head: Buffer, draft: Draft): boolean {
  if (head.length < 0x200) return false;
  const magic = head.toString('latin1', 0, 16);
  const layout = layouts.find((known) => known.magic.includes(magic));
  if (layout === undefined) return false;
  draft.disc = layout.disc;
  const product = discText(head.subarray(...layout.product));
  if (product !== '') draft.evidence['disc header product number'] = product;
  draft.serial = layout.disc === 'mega-cd' ? megaCdSerial(product) : product || null;
  draft.edition = editionOf(head, layout, draft);
  const titles = layout.titles.map((field) => discText(head.subarray(...field), 'shift-jis'));
  draft.title = titles.find((title) => title !== '') ?? null;
  if (draft.title !== null) draft.evidence['disc header title'] = draft.title;
  return true;
}

/**
 * Returns the serial in a product number: `T-93175` for `GM T-93175 -00`. Removes the kind of
 * software (`GM`) and the revision (`-00`).
 */
function megaCdSerial(product: string): string | null {
  const number = product.replace(/^[A-Z]{2} +/, '').replace(/(?<! ) *-\d{2}$/, '');
  return number.replaceAll(' ', '') || null;
}

const letters: Readonly<Record<string, WorldArea>> = {
  J: 'japan',
  U: 'america',
  E: 'europe',
  T: 'asia',
  K: 'korea',
};

function editionOf(head: Buffer, { version, device, areas }: Layout, draft: Draft): Edition {
  const text = (name: string, field: Field | undefined) => {
    const found = field ? discText(head.subarray(...field)) : '';
    if (found !== '') draft.evidence[`disc header ${name}`] = found;
    return found;
  };
  const [, number, count] =
    /^(?:CD-|GD-ROM)(\d{1,2})\/(\d{1,2})/.exec(text('device', device)) ?? [];
  const area = text('areas', areas).replaceAll(' ', '');
  // Many discs of a set state that they are the only disc. Therefore use the number only if the
  // count is above 1.
  const isOfSet = Number(count) > 1 && Number(number) > 0;
  return {
    disc: isOfSet ? Number(number) : null,
    revision: null,
    version: /^V(\d\.\d{3})$/.exec(text('version', version))?.[1] ?? null,
    // On a Mega-CD, the field may contain a hexadecimal digit or words instead of area letters.
    // Ignore such a field.
    areas: /^[JUEBTKALV]+$/.test(area) ? [...area].flatMap((letter) => letters[letter] ?? []) : [],
  };
}
