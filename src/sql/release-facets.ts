import { type SelectQueryBuilder, sql } from 'kysely';
import type {
  Facet,
  FacetCounting,
  Facets,
  Initial,
  ReleaseFilter,
} from '../core/releases/ports.ts';
import { compareByCodePoint } from '../core/shared/text.ts';
import type { Database } from './engine.ts';
import { exactValues, filteredBy, otherConditions } from './release-filter.ts';
import type { Tables } from './tables.ts';

type Filtered = SelectQueryBuilder<Tables, 'release', object>;

/**
 * Counts by system, platform and region; a release of two regions counts in both. `without-own` counts each list under
 * all parts of the filter but its own.
 */
export async function countFacets(
  db: Database,
  filter: ReleaseFilter,
  counting: FacetCounting = 'with-own',
): Promise<Facets> {
  const conditions = await otherConditions(db, filter);
  const found = (own: 'system' | 'platform' | 'region') => {
    const counted = counting === 'with-own' ? filter : { ...filter, [own]: '' };
    return filteredBy(db, 'listed', exactValues(counted), conditions);
  };
  const releases = db.fn.countAll<number>().as('releases');
  const [systems, platforms, regions] = await Promise.all([
    found('system')
      .select(['release.system as name', releases])
      .groupBy('release.system')
      .execute(),
    found('platform')
      .innerJoin('platform', 'platform.id', 'release.platform_id')
      .select(['platform.name', releases])
      .groupBy(['platform.id', 'platform.name'])
      .execute(),
    found('region')
      .select(['release.region as name', releases])
      .groupBy('release.region')
      .execute(),
  ]);
  return {
    systems: systems.sort(byName),
    platforms: platforms.sort(byName),
    regions: byRegion(regions),
  };
}

function byRegion(rows: Facet[]): Facet[] {
  const counts = new Map<string, number>();
  for (const { name, releases } of rows) {
    const regions = new Set(name.split(',').map((region) => region.trim()));
    for (const region of regions) {
      if (region !== '') counts.set(region, (counts.get(region) ?? 0) + releases);
    }
  }
  return [...counts].map(([name, releases]) => ({ name, releases })).sort(byName);
}

function byName(a: Facet, b: Facet): number {
  return compareByCodePoint(a.name, b.name);
}

export async function countInitials(query: Filtered): Promise<Initial[]> {
  const initial = sql<string>`substr(release.name, 1, 1)`;
  const rows = await query
    .select([initial.as('initial'), sql<number>`count(*)`.as('releases')])
    .groupBy(initial)
    .orderBy(initial)
    .execute();
  let offset = 0;
  return rows.map((row) => {
    const at = offset;
    offset += row.releases;
    return { initial: row.initial, offset: at, releases: row.releases };
  });
}
