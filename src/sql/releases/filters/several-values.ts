import { type Expression, type SqlBool, sql } from 'kysely';
import { platformKey } from '../../../core/imports/platform.ts';
import { filterValues } from '../../../core/releases/filter-values.ts';
import type { ReleaseFilter } from '../../../core/releases/ports.ts';
import type { Database } from '../../engine/engine.ts';

// These conditions are true for rows of `release`, and for rows of `release_count` with the alias
// `release`.

/** Returns the condition that a release has one of several platforms; null for fewer than two. */
export function platformsCondition(
  { dialect }: Database,
  { platform }: Pick<ReleaseFilter, 'platform'>,
): Expression<SqlBool> | null {
  const platforms = filterValues(platform);
  if (platforms.length < 2) return null;
  const keys = dialect.list(platforms.map(platformKey));
  return sql<SqlBool>`release.platform_id IN (SELECT id FROM platform WHERE key IN ${keys})`;
}

/** Returns the condition that a release has one of several regions; null for fewer than two. */
export function regionsCondition(
  db: Database,
  { region }: Pick<ReleaseFilter, 'region'>,
): Expression<SqlBool> | null {
  const regions = filterValues(region);
  if (regions.length < 2) return null;
  const some = regions.map((each) => hasRegion(db, sql.val(each.trim())));
  return isOfRegions(sql<SqlBool>`(${sql.join(some, sql` OR `)})`);
}

/**
 * Returns the condition that the text of a release's regions meets a condition. Many releases share
 * few texts. The subquery checks each text only once.
 */
export function isOfRegions(condition: Expression<SqlBool>): Expression<SqlBool> {
  return sql`release.region IN (
    SELECT region FROM (SELECT DISTINCT region FROM release_count) AS release WHERE ${condition})`;
}

/**
 * Returns the condition that a release has a region. "Europe" matches both "USA, Europe" and
 * "USA,Europe".
 */
export function hasRegion(db: Database, region: Expression<unknown>): Expression<SqlBool> {
  const all = sql`',' || replace(replace(release.region, ', ', ','), ' ,', ',') || ','`;
  const { contains, lower } = db.dialect;
  return contains(lower(all), lower(sql`',' || ${region} || ','`));
}
