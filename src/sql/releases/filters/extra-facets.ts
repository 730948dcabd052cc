import { sql } from 'kysely';
import {
  type ExtraFacet,
  type Facet,
  type Facets,
  maxValues,
  type RecordFilter,
} from '../../../core/releases/ports.ts';
import { compareByCodePoint } from '../../../core/shared/text.ts';
import type { Engine } from '../../engine/engine.ts';
import { type CountedFilter, countedRows, countOf } from '../release-counts.ts';
import { isCovered, libraryConditions } from './filter-searches.ts';
import { isListedValue, type MetaName, metaValue } from './meta-values.ts';

type Lanes = Pick<Engine, 'read' | 'longRead'>;

/**
 * Counts the releases that match `found`, for each value of one facet. `filter` contains the ids of
 * the covered releases.
 */
export async function countExtraFacet(
  engine: Lanes,
  name: ExtraFacet,
  found: CountedFilter,
  filter: RecordFilter,
): Promise<Partial<Facets>> {
  switch (name) {
    case 'genre':
      return { genres: await countValues(engine, name, found) };
    case 'year':
      return { years: await countValues(engine, name, found) };
    case 'publisher':
      return { publishers: await countValues(engine, name, found) };
    case 'library':
      return { library: await countByLibrary(engine, found) };
    case 'cover': {
      const [all, have] = await Promise.all([
        countOf(engine, found),
        countOf(engine, narrowed(found, isCovered(engine.longRead, filter))),
      ]);
      return { covers: { have, missing: all - have } };
    }
  }
}

async function countByLibrary(engine: Lanes, found: CountedFilter) {
  const [all, have, verified] = await Promise.all([
    countOf(engine, found),
    countOf(engine, narrowed(found, libraryConditions.have)),
    countOf(engine, narrowed(found, libraryConditions.verified)),
  ]);
  return { have, missing: all - have, verified };
}

function narrowed(
  found: CountedFilter,
  condition: CountedFilter['conditions'][number],
): CountedFilter {
  return { ...found, conditions: [...found.conditions, condition] };
}

/** Counts releases by a value of their metadata. Omits releases without such a value. */
async function countValues(
  { longRead }: Lanes,
  name: MetaName,
  found: CountedFilter,
): Promise<Facet[]> {
  const { values, several, conditions } = found;
  const isUnfiltered =
    Object.keys(values).length === 0 && several.length === 0 && conditions.length === 0;
  const value = metaValue(name);
  const isInTime = longRead.dialect.interruptionPoint(sql.ref('release_meta.release_id'));
  // All visible releases are counted from an index on the values alone.
  const rows = isUnfiltered
    ? sql`SELECT ${value} AS value FROM release_meta WHERE ${value} > '' AND ${isInTime}
        AND coalesce(release_meta.release_id < (SELECT first_release_id FROM unfinished_import), true)`
    : sql`SELECT ${value} AS value FROM (${countedRows(longRead, found).select('release.id')}) AS found
        ${longRead.dialect.joinInOrder} release_meta ON release_meta.release_id = found.id
        WHERE ${value} > ''`;
  const counted = await sql<{ value: string; releases: number }>`
    SELECT value, count(*) AS releases FROM (${rows}) AS each_release
    GROUP BY value ORDER BY count(*) DESC, value LIMIT ${sql.lit(maxValues)}`.execute(longRead);
  return counted.rows
    .filter((row) => isListedValue(name, row.value))
    .map((row) => ({ name: row.value, releases: row.releases }))
    .sort((a, b) => compareByCodePoint(a.name, b.name));
}
