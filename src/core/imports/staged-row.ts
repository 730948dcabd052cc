import { limitOf, type OwnTexts } from '../shared/release-fields.ts';
import { fold, joinSearchTexts, serialSearchText } from '../shared/search-text.ts';
import { normaliseSerials } from '../shared/serial.ts';
import { lengthProblem } from '../shared/text-limits.ts';
import type { DatRom, DatRow } from './dat.ts';
import { type Dump, dumpOf, romsDigest, strongestKey } from './dump.ts';
import { regionOf } from './region.ts';

/**
 * A row to import: the data of a release, and the keys by which the release is found and compared.
 */
export interface StagedRow extends OwnTexts {
  readonly dump: Dump;
  /**
   * The strongest key of the dump. Rows with the same name and the same key describe one release.
   */
  readonly dumpKey: string;
  readonly romsDigest: string;
  /** The serials of the row, normalised. */
  readonly serials: readonly string[];
  /** The text that searches look for words in. */
  readonly search: string;
  /** The part of `search` that comes from the serials. */
  readonly serialSearch: string;
  readonly roms: readonly DatRom[];
  /** The name of this row's parent; "" if there is none. */
  readonly cloneOf: string;
  /** The id of the row in its file; "" for none. */
  readonly datId: string;
  /** The id of this row's parent; "" if there is none. */
  readonly cloneOfId: string;
}

export function stagedRow(row: DatRow): StagedRow {
  const serial = row.serial || serialsOfRoms(row);
  const serialSearch = serialSearchText(serial);
  const dump = dumpOf(row.roms);
  return {
    ...row,
    cloneOf: cloneOf(row),
    datId: row.datId ?? '',
    cloneOfId: row.cloneOfId ?? '',
    region: regionOf(row),
    serial,
    dump,
    dumpKey: strongestKey(dump),
    romsDigest: romsDigest(row.roms),
    serials: normaliseSerials(serial),
    search: joinSearchTexts([fold(row.name), serialSearch]),
    serialSearch,
  };
}

/**
 * Returns the name of the row's parent. Returns "" for the row's own name, and for a name that is
 * too long for a release.
 */
function cloneOf({ name, cloneOf = '' }: DatRow): string {
  const isName = cloneOf !== name && lengthProblem(cloneOf, limitOf('name')) === null;
  return isName ? cloneOf : '';
}

/**
 * Returns the different serials of the row's ROMs, separated by ", ". No-Intro states a game's
 * serial on its ROMs.
 */
function serialsOfRoms(row: DatRow): string {
  return [...new Set(row.roms.map((rom) => rom.serial).filter(Boolean))].join(', ');
}
