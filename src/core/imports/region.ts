import type { DatRow } from './dat.ts';

/**
 * Returns the region of a row (decisions.md, Imports), which is the first of these that exists:
 * 1. the region that the row states;
 * 2. the regions of its `release` elements, separated by ", ";
 * 3. the first parenthesised part of the name that consists only of region words;
 * 4. "".
 */
export function regionOf(row: Pick<DatRow, 'name' | 'region' | 'releaseRegions'>): string {
  if (row.region !== '') return row.region;
  if (row.releaseRegions.length > 0) return row.releaseRegions.join(', ');
  for (const [, inside = ''] of row.name.matchAll(/\(([^()]*)\)/g)) {
    if (inside.split(',').every((word) => regionWords.has(word.trim().toLowerCase())))
      return inside;
  }
  return '';
}

/** The region words of the naming conventions of No-Intro and Redump. */
const regionWords = new Set(
  `world, europe, asia, usa, america, north america, latin america, south america, scandinavia, oceania,
  africa, middle east, benelux, export, unknown,
  afghanistan, albania, algeria, argentina, armenia, australia, austria, azerbaijan, bahrain, bangladesh,
  belarus, belgium, bolivia, bosnia and herzegovina, brazil, bulgaria, cambodia, canada, chile, china,
  colombia, costa rica, croatia, cuba, cyprus, czech, czech republic, czechia, denmark, dominican republic,
  ecuador, egypt, estonia, finland, france, georgia, germany, greece, guatemala, hong kong, hungary, iceland,
  india, indonesia, iran, iraq, ireland, israel, italy, jamaica, japan, jordan, kazakhstan, kenya, korea,
  south korea, north korea, kuwait, latvia, lebanon, liechtenstein, lithuania, luxembourg, macau, malaysia,
  malta, mexico, moldova, mongolia, montenegro, morocco, nepal, netherlands, new zealand, nigeria,
  north macedonia, norway, oman, pakistan, panama, paraguay, peru, philippines, poland, portugal,
  puerto rico, qatar, romania, russia, saudi arabia, serbia, singapore, slovakia, slovenia, south africa,
  spain, sri lanka, sweden, switzerland, syria, taiwan, thailand, tunisia, turkey, uk, united kingdom,
  ukraine, united arab emirates, united states, uruguay, ussr, uzbekistan, venezuela, vietnam, yugoslavia`
    .split(',')
    .map((word) => word.trim().replace(/\s+/g, ' ')),
);
