import type { OwnTexts } from '../shared/release-fields.ts';
import { fold, joinSearchTexts, serialSearchText } from '../shared/search-text.ts';
import { normaliseSerials } from '../shared/serial.ts';
import type { DatRom, DatRow } from './dat.ts';
import { type Dump, dumpOf, romsDigest, strongestKey } from './dump.ts';
import { regionOf } from './region.ts';

/** A row on its way into the catalogue: what a release would say, and all that it is compared and found by. */
export interface StagedRow extends OwnTexts {
  readonly dump: Dump;
  /** The strongest key of the dump: rows of one name and this key are one release. */
  readonly dumpKey: string;
  readonly romsDigest: string;
  /** The serials in their normalised forms. */
  readonly serials: readonly string[];
  /** What search looks at. */
  readonly search: string;
  /** The part of `search` that comes from the serials. */
  readonly serialSearch: string;
  readonly roms: readonly DatRom[];
}

export function stagedRow(row: DatRow): StagedRow {
  const serial = row.serial || serialsOfRoms(row);
  const serialSearch = serialSearchText(serial);
  const dump = dumpOf(row.roms);
  return {
    ...row,
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

/** No-Intro states the serial of a game on its ROMs. */
function serialsOfRoms(row: DatRow): string {
  return [...new Set(row.roms.map((rom) => rom.serial).filter(Boolean))].join(', ');
}
