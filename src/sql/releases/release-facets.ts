import type { Facet, FacetCounting, Facets, ReleaseFilter } from '../../core/releases/ports.ts';
import { compareByCodePoint } from '../../core/shared/text.ts';
import type { Engine } from '../engine/engine.ts';
import { countedBy } from './release-counts.ts';
import {
  type ExactValues,
  exactValues,
  exhaustiveConditions,
  filteredBy,
  searchesOf,
} from './release-filter.ts';
import type { Trigrams } from './trigram-sample.ts';

/**
 * The number of matching releases that share a system, a platform and a region. `platform` is null
 * for releases without a platform.
 */
interface Group {
  readonly system: string;
  readonly platformId: number | null;
  readonly platform: string | null;
  readonly region: string;
  readonly releases: number;
}

/**
 * Counts the matching releases by system, by platform and by region. A release with two regions is
 * counted in both regions. With `without-own`, the count by system ignores the filter's system. The
 * count by platform ignores the filter's platform, and the count by region ignores the filter's
 * region.
 */
export async function countFacets(
  engine: Pick<Engine, 'read' | 'longRead'>,
  filter: ReleaseFilter,
  trigrams: Trigrams,
  counting: FacetCounting = 'with-own',
): Promise<Facets> {
  const groupsBy = await groupsOf(engine, filter, trigrams);
  // Counts with the same filter values share one query.
  const counted = new Map<string, Promise<Group[]>>();
  const groups = (own: 'system' | 'platform' | 'region') => {
    const values = exactValues(counting === 'with-own' ? filter : { ...filter, [own]: '' });
    const key = JSON.stringify(values);
    const known = counted.get(key) ?? groupsBy(values);
    counted.set(key, known);
    return known;
  };
  const lists = [groups('system'), groups('platform'), groups('region')] as const;
  const [bySystem, byPlatform, byRegion] = await Promise.all(lists);
  return {
    systems: sumUp(bySystem, ({ system }) => [system]),
    platforms: sumUp(byPlatform, ({ platform }) => (platform === null ? [] : [platform])),
    regions: sumUp(byRegion, ({ region }) => regionsOf(region)),
  };
}

/**
 * Returns a function that counts the groups of matching releases. The function's argument replaces
 * the exact values of the filter.
 */
async function groupsOf(
  { read, longRead }: Pick<Engine, 'read' | 'longRead'>,
  filter: ReleaseFilter,
  trigrams: Trigrams,
): Promise<(values: ExactValues) => Promise<Group[]>> {
  const conditions = exhaustiveConditions(await searchesOf(longRead, filter, trigrams));
  const columns = ['release.system', 'release.platform_id', 'release.region'] as const;
  return (values) => {
    const groups =
      conditions.length === 0
        ? countedBy(read, values)
            .select((is) => [...columns, is.fn.sum<number>('release.releases').as('releases')])
            .groupBy(columns)
        : filteredBy(longRead, 'listed', values, conditions)
            .select((is) => [...columns, is.fn.countAll<number>().as('releases')])
            .groupBy(columns);
    const db = conditions.length === 0 ? read : longRead;
    return db
      .selectFrom(groups.as('found'))
      .leftJoin('platform', 'platform.id', 'found.platform_id')
      .select(['found.system', 'found.region', 'found.releases'])
      .select(['platform.id as platformId', 'platform.name as platform'])
      .execute();
  };
}

/** Returns the total number of releases for each name, sorted by name. */
function sumUp(groups: readonly Group[], namesOf: (group: Group) => readonly string[]): Facet[] {
  const counts = new Map<string, number>();
  for (const group of groups) {
    for (const name of namesOf(group)) {
      counts.set(name, (counts.get(name) ?? 0) + group.releases);
    }
  }
  return [...counts]
    .map(([name, releases]) => ({ name, releases }))
    .sort((a, b) => compareByCodePoint(a.name, b.name));
}

function regionsOf(text: string): string[] {
  return [...new Set(text.split(',').map((region) => region.trim()))].filter(Boolean);
}
