import { type Expression, type SqlBool, sql } from 'kysely';
import { marksOf } from '../../core/shared/id-marks.ts';
import type { Viewer } from '../../core/shared/requests/viewer.ts';
import type { Database } from '../engine/engine.ts';
import { type TextSearch, unindexed } from './release-text-conditions.ts';

export type Condition = Expression<SqlBool>;

/** Returns the search for releases that meet a condition. No index helps this search. */
export function searchOf(
  rowCondition: Condition,
  scanCondition: Condition = rowCondition,
): TextSearch {
  return { rowCondition, scanCondition, ...unindexed };
}

/** The ids of the releases with a file in the library, once for each file. */
export const ownedReleases = sql`SELECT release_id AS id FROM library_file WHERE release_id IS NOT NULL`;
export const isOwned = sql<SqlBool>`EXISTS (SELECT 1 FROM library_file WHERE library_file.release_id = release.id)`;

export function ofPlatform(key: Expression<string>): Condition {
  return sql`release.platform_id = (SELECT id FROM platform WHERE key = ${key})`;
}

/**
 * Returns the condition that a release has a region. "Europe" matches both "USA, Europe" and
 * "USA,Europe".
 */
export function hasRegion(db: Database, region: Expression<unknown>): Condition {
  const all = sql`',' || replace(replace(release.region, ', ', ','), ' ,', ',') || ','`;
  const { contains, lower } = db.dialect;
  return contains(lower(all), lower(sql`',' || ${region} || ','`));
}

/**
 * Returns the condition that the id of a release is among many ids. The condition is checked for
 * each release. With an index, the engine would look up all ids and sort the releases, even to
 * return a few rows in list order.
 */
export function isAmongMany({ dialect }: Database, ids: readonly number[]): Condition {
  if (ids.length === 0) return sql<SqlBool>`false`;
  const marks = marksOf(ids);
  return marks === null
    ? sql<SqlBool>`(NOT (release.id NOT IN ${dialect.list(ids, 'integer')}))`
    : dialect.isMarked(sql<number>`release.id`, marks);
}

/**
 * Returns the conditions on `release` that a release must meet so that a viewer sees it. There are
 * none: every viewer sees all releases. Rules of access belong here.
 */
export function visibleTo(_viewer: Viewer): readonly Condition[] {
  return [];
}
