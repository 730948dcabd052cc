import type {
  ExtraFacet,
  Facet,
  FacetOptions,
  Facets,
  RecordFilter,
} from '../../core/releases/ports.ts';
import { compareByCodePoint } from '../../core/shared/text.ts';
import type { Engine } from '../engine/engine.ts';
import { countExtraFacet } from './filters/extra-facets.ts';
import {
  type CountedFilter,
  countedBy,
  countedRows,
  prepareCountFilter,
} from './release-counts.ts';
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
 * Counts the matching releases by system, by platform and by region, and by the values of `extra`.
 * A release with two regions is counted in both regions. With `without-own`, the counts of a facet
 * ignore the filter's condition on that facet.
 */
export async function countFacets(
  engine: Pick<Engine, 'read' | 'longRead'>,
  filter: RecordFilter,
  trigrams: Trigrams,
  { counting = 'with-own', extra = [] }: FacetOptions = {},
): Promise<Facets> {
  // Counts under the same filter share their queries.
  const filters = shared((each: RecordFilter) => prepareCountFilter(engine, each, trigrams));
  const counted = shared(async (each: RecordFilter) => groupsOf(engine, await filters(each)));
  const under = (own: 'system' | 'platform' | 'region' | ExtraFacet): RecordFilter =>
    counting === 'with-own' ? filter : { ...filter, [own]: '' };
  const [bySystem, byPlatform, byRegion, others] = await Promise.all([
    counted(under('system')),
    counted(under('platform')),
    counted(under('region')),
    Promise.all(
      extra.map(async (name) => countExtraFacet(engine, name, await filters(under(name)), filter)),
    ),
  ]);
  return {
    systems: sumUp(bySystem, ({ system }) => [system]),
    platforms: sumUp(byPlatform, ({ platform }) => (platform === null ? [] : [platform])),
    regions: sumUp(byRegion, ({ region }) => regionsOf(region)),
    ...Object.assign({}, ...others),
  };
}

/**
 * Returns a function that calls `read` only once for each filter, and then returns the cached
 * result. All filters passed to the function must have the same covers and the same set.
 */
function shared<T>(
  read: (filter: RecordFilter) => Promise<T>,
): (filter: RecordFilter) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  return (filter) => {
    const { coveredIds: _covered, chosen: _chosen, ...texts } = filter;
    const key = JSON.stringify(texts);
    const result = results.get(key) ?? read(filter);
    results.set(key, result);
    return result;
  };
}

/**
 * Returns the groups of the releases that match a filter, with the number of releases in each
 * group.
 */
function groupsOf(
  { read, longRead }: Pick<Engine, 'read' | 'longRead'>,
  found: CountedFilter,
): Promise<Group[]> {
  const { values, several, conditions } = found;
  const columns = ['release.system', 'release.platform_id', 'release.region'] as const;
  const groups =
    conditions.length === 0
      ? countedBy(read, values, several)
          .select((is) => [...columns, is.fn.sum<number>('release.releases').as('releases')])
          .groupBy(columns)
      : countedRows(longRead, found)
          .select((is) => [...columns, is.fn.countAll<number>().as('releases')])
          .groupBy(columns);
  const db = conditions.length === 0 ? read : longRead;
  return db
    .selectFrom(groups.as('found'))
    .leftJoin('platform', 'platform.id', 'found.platform_id')
    .select(['found.system', 'found.region', 'found.releases'])
    .select(['platform.id as platformId', 'platform.name as platform'])
    .execute();
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
