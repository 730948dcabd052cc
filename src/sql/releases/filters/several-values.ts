import { type Expression, type SqlBool, sql } from 'kysely';
import { platformKey } from '../../../core/imports/platform.ts';
import { filterValues } from '../../../core/releases/filter-values.ts';
import type { ReleaseFilter } from '../../../core/releases/ports.ts';
import type { Database } from '../../engine/engine.ts';
import { hasRegion } from '../release-conditions.ts';

// These conditions can be evaluated on rows of `release`, and on rows of `release_count` with the
// alias `release`.

/**
 * Returns the condition that a release has one of several platforms; null for fewer than two. With
 * `walked`, the engine does not use the index on the platform.
 */
export function platformsCondition(
  { dialect }: Database,
  { platform }: Pick<ReleaseFilter, 'platform'>,
  form: 'indexed' | 'walked' = 'indexed',
): Expression<SqlBool> | null {
  const platforms = filterValues(platform);
  if (platforms.length < 2) return null;
  const keys = dialect.list(platforms.map(platformKey));
  const id = form === 'indexed' ? sql`release.platform_id` : sql`(release.platform_id + 0)`;
  return sql<SqlBool>`${id} IN (SELECT id FROM platform WHERE key IN ${keys})`;
}

/** Returns the conditions on several platforms and on several regions that a filter contains. */
export function severalConditions(db: Database, filter: ReleaseFilter): Expression<SqlBool>[] {
  const conditions = [platformsCondition(db, filter), regionsCondition(db, filter)];
  return conditions.filter((condition) => condition !== null);
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
