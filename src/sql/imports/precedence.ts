// The rules that decide who is right, each in this one place: what was edited by hand stays; a release shows what the
// source says that brought it; of several facts the strongest counts.

import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { MetadataKey } from '../../core/imports/metadata.ts';

/** Whether somebody edited the field of a release by hand. */
export function isEdited(releaseId: Expression<unknown>, field: string): RawBuilder<SqlBool> {
  return sql`EXISTS (SELECT 1 FROM release_edit AS edit
    WHERE edit.release_id = ${releaseId} AND edit.field = ${sql.lit(field)})`;
}

/** Whether anything of a release was edited by hand. */
export function isEditedAnywhere(releaseId: Expression<unknown>): RawBuilder<SqlBool> {
  return sql`EXISTS (SELECT 1 FROM release_edit AS edit WHERE edit.release_id = ${releaseId})`;
}

/** Whether the release shows what this row of `source_row` says: its source brought the release. */
export function isShown(sourceRow: string): RawBuilder<SqlBool> {
  return sql`${sql.ref(`${sourceRow}.is_shown`)}`;
}

/** How facts name releases, the strongest first. */
export const factKinds = ['crc', 'serial', 'name'] as const satisfies MetadataKey[];

/**
 * Of facts (release_id, field, value, kind) the one that counts for each release and field: that of the strongest kind,
 * and of one kind the first value.
 */
export function strongestFacts(facts: RawBuilder<unknown>): RawBuilder<unknown> {
  const strengths = factKinds.map((kind, place) => {
    return sql`WHEN ${sql.lit(kind)} THEN ${sql.lit(place)}`;
  });
  const strength = sql`CASE kind ${sql.join(strengths, sql` `)} END`;
  return sql`SELECT release_id, field, value FROM (
      SELECT release_id, field, value, row_number() OVER (
        PARTITION BY release_id, field ORDER BY ${strength}, value) AS place
      FROM (${facts}) AS fact
    ) AS ranked WHERE place = 1`;
}
