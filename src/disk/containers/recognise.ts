import type { KnownContainer } from '../../core/library/containers.ts';
import { formatByMagic, HEAD } from '../cartridges/recognise.ts';
import { type ImageBytes, readUpTo } from '../image-bytes.ts';
import { isTar } from './archives/tar.ts';
import { hasSubchannels, rawForm } from './burners/raw-sectors.ts';
import { containers } from './container-readers.ts';
import { readSheet } from './sheets/read-sheet.ts';

const formats = Object.entries(containers) as [
  KnownContainer,
  (typeof containers)[KnownContainer],
][];

const TAIL = 12;

/**
 * Recognises a file's container by its first bytes, or by its text if it is a sheet. Returns
 * `unknown` for any other file, which may be a plain image.
 */
export async function recogniseContainer(file: ImageBytes): Promise<KnownContainer> {
  const head = await readUpTo(file, 0, HEAD);
  const text = head.toString('latin1');
  for (const [container, { magics = [], matchesHead }] of formats) {
    if (magics.some((magic) => text.startsWith(magic)) || matchesHead?.(head)) return container;
  }
  if (rawForm(head)) return 'raw';
  const cartridge = formatByMagic(head);
  if (cartridge !== null) return cartridge;
  if (isTar(head)) return 'tar';
  return (await readSheet(file))?.container ?? 'unknown';
}

/**
 * Like `recogniseContainer`, but also checks the end of the file and the second sector of a raw
 * image. The file therefore needs random access.
 */
export async function recogniseFile(file: ImageBytes): Promise<KnownContainer> {
  const container = await recogniseContainer(file);
  if (container !== 'raw' && container !== 'unknown') return container;
  const atEnd = await recogniseByEnd(file);
  if (atEnd !== null) return atEnd;
  return container === 'raw' && (await hasSubchannels(file)) ? 'mdf' : container;
}

async function recogniseByEnd(file: ImageBytes): Promise<KnownContainer | null> {
  const length = Math.min(TAIL, file.size);
  const tail = await file.read(file.size - length, length);
  return formats.find(([, { matchesEnd }]) => matchesEnd?.(tail, file.size))?.[0] ?? null;
}
