import { refused } from '../../core/shared/errors.ts';
import { MAX_SFO_BYTES } from '../disc/param-sfo.ts';
import { readParamSfo } from '../disc/psp.ts';
import type { Draft } from '../draft.ts';
import { type ImageBytes, readUpTo, sliceOf } from '../image-bytes.ts';

const HEADER = 40;
const SECTIONS = [
  'PARAM.SFO',
  'ICON0.PNG',
  'ICON1.PMF',
  'PIC0.PNG',
  'PIC1.PNG',
  'SND0.AT3',
  'DATA.PSP',
  'DATA.PSAR',
] as const;
type Section = (typeof SECTIONS)[number];

/**
 * The DISC_ID that PSPSDK's `mksfoex` writes into every homebrew program. Therefore the id does not
 * identify a release.
 */
const HOMEBREW_ID = 'UCJS10041';

/**
 * Identifies an EBOOT.PBP: a PSP game, or a PlayStation game packed for the PSP. Throws a
 * `CatalogError` of kind `refused` if the file is truncated or damaged.
 *
 * Source: psdevwiki.com "PBP" and PPSSPP `Core/ELF/PBPReader.h`. A PBP starts with the magic (4
 * bytes), the version (4 bytes) and the offsets of the eight sections. Each offset is a
 * little-endian u32. DATA.PSAR of a PlayStation game starts with `PSISOIMG` or `PSTITLEIMG`.
 */
export async function readPbp(file: ImageBytes, draft: Draft): Promise<void> {
  draft.disc = 'psp';
  const section = await pbpSections(file);
  const sfo = section('PARAM.SFO');
  const psar = (await readUpTo(section('DATA.PSAR'), 0, 8)).toString('latin1');
  if (psar === 'PSISOIMG' || psar === 'PSTITLEI') draft.disc = 'psx';
  readParamSfo(await readUpTo(sfo, 0, MAX_SFO_BYTES), draft);
  const isHomebrew =
    draft.evidence['PARAM.SFO CATEGORY'] === 'MG' &&
    draft.evidence['PARAM.SFO DISC_ID'] === HOMEBREW_ID;
  if (isHomebrew) draft.serial = null;
}

/**
 * Returns a function that returns a section of the PBP by name. A section that the PBP lacks is
 * empty. Throws a `CatalogError` of kind `refused` if the header is damaged or sections are
 * missing.
 */
export async function pbpSections(file: ImageBytes): Promise<(name: Section) => ImageBytes> {
  const header = await file.read(0, HEADER);
  const offsets = SECTIONS.map((_, i) => header.readUInt32LE(8 + 4 * i));
  if (offsets.some((offset, i) => offset < (offsets[i - 1] ?? HEADER))) {
    throw refused('its header is damaged');
  }
  if ((offsets.at(-1) ?? 0) > file.size) throw refused('it is cut: sections are missing');
  return (name) => {
    const at = SECTIONS.indexOf(name);
    const start = offsets[at] ?? 0;
    return sliceOf(file, start, (offsets[at + 1] ?? file.size) - start);
  };
}
