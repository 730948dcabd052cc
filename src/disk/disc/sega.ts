import type { DiscKind } from '../../core/library/identity.ts';
import type { Draft } from '../draft.ts';
import { discText } from './disc-text.ts';

type Field = readonly [start: number, end: number];
type Layout = {
  readonly magic: readonly string[];
  readonly disc: DiscKind;
  readonly product: Field;
  /** The first that is not empty. */
  readonly titles: readonly Field[];
};

const layouts: readonly Layout[] = [
  {
    magic: ['SEGA SEGASATURN '],
    disc: 'saturn',
    product: [0x20, 0x2a],
    titles: [[0x60, 0xd0]],
  },
  {
    magic: ['SEGA SEGAKATANA '],
    disc: 'dreamcast',
    product: [0x40, 0x4a],
    titles: [[0x80, 0x100]],
  },
  {
    magic: ['SEGADISCSYSTEM  ', 'SEGABOOTDISC    ', 'SEGADISC        ', 'SEGADATADISC    '],
    disc: 'mega-cd',
    product: [0x180, 0x18e],
    titles: [
      [0x150, 0x180],
      [0x120, 0x150],
    ],
  },
];

/**
 * Reads a Saturn, Dreamcast or Mega-CD disc from its first 0x200 bytes; false when it is none. The product number is
 * given as the disc states it; printed ones may lack its `MK-`, or have a region's `-50` behind it.
 *
 * Source: Sega's "Disc Format Standards Specification" (Saturn, Mega-CD) and the Dreamcast's IP.BIN as in Marcus
 * Comstedt's "mc.pp.se/dc"; GerbilSoft/rom-properties `SegaSaturn.cpp`, `Dreamcast.cpp`, `MegaDrive.cpp`.
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
  const titles = layout.titles.map((field) => discText(head.subarray(...field), 'shift-jis'));
  draft.title = titles.find((title) => title !== '') ?? null;
  if (draft.title !== null) draft.evidence['disc header title'] = draft.title;
  return true;
}

/** `T-93175` from `GM T-93175 -00`: without the kind of software before it and the revision behind it. */
function megaCdSerial(product: string): string | null {
  const number = product.replace(/^[A-Z]{2} +/, '').replace(/ *-\d{2}$/, '');
  return number.replaceAll(' ', '') || null;
}
