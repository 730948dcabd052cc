import type { Area } from '../identity.ts';

const words: Readonly<Record<Exclude<Area, 'europe'>, string>> = {
  japan: 'japan',
  america:
    'usa, america, north america, latin america, south america, united states, canada, mexico, brazil, argentina, colombia, peru',
  korea: 'korea, south korea',
  asia: 'asia, taiwan, hong kong, china, singapore, thailand, malaysia, philippines, indonesia, india',
};

const byWord = new Map<string, Area>(
  Object.entries(words).flatMap(([area, listed]) =>
    listed.split(', ').map((word) => [word, area as Area] as const),
  ),
);

/**
 * Returns the areas of the world that a release's region names. The words `world` and `export`
 * stand for all areas. A country that is not in `words` counts as Europe, because European discs
 * can be played there.
 */
export function areasOf(region: string): ReadonlySet<Area> {
  const areas = new Set<Area>();
  for (const part of region.split(',')) {
    const word = part.trim().toLowerCase();
    if (word === '' || word === 'unknown') continue;
    if (word === 'world' || word === 'export') return all;
    areas.add(byWord.get(word) ?? 'europe');
  }
  return areas;
}

const all = new Set<Area>(['japan', 'america', 'europe', 'korea', 'asia']);
