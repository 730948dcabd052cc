import { regionsIn } from '../shared/names/region-words.ts';
import type { DatRow } from './dat.ts';

/**
 * Returns the region of a row (docs/api/decisions.md, Imports), which is the first of these that
 * exists:
 * 1. the region that the row states;
 * 2. the regions of its `release` elements, separated by ", ";
 * 3. the first parenthesised part of the name that consists only of region words;
 * 4. "".
 */
export function regionOf(row: Pick<DatRow, 'name' | 'region' | 'releaseRegions'>): string {
  if (row.region !== '') return row.region;
  if (row.releaseRegions.length > 0) return row.releaseRegions.join(', ');
  for (const [, inside = ''] of row.name.matchAll(/\(([^()]*)\)/g)) {
    if (regionsIn(inside) !== null) return inside;
  }
  return '';
}
