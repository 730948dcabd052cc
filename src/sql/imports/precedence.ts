// The rules that decide which value wins, each in this one place. Fields edited by hand stay as
// they are. A release shows the values of the source that brought it. The strongest of several
// facts counts.

import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { MetadataKey } from '../../core/imports/metadata.ts';

/** Returns whether the field of a release was edited by hand. */
export function isEdited(releaseId: Expression<unknown>, field: string): RawBuilder<SqlBool> {
  return sql`EXISTS (SELECT 1 FROM release_edit AS edit
    WHERE edit.release_id = ${releaseId} AND edit.field = ${sql.lit(field)})`;
}

/** Returns whether any field of a release was edited by hand. */
export function isEditedAnywhere(releaseId: Expression<unknown>): RawBuilder<SqlBool> {
  return sql`EXISTS (SELECT 1 FROM release_edit AS edit WHERE edit.release_id = ${releaseId})`;
}

/**
 * Returns whether the release shows this row of `source_row`, because its source brought the
 * release.
 */
export function isShown(sourceRow: string): RawBuilder<SqlBool> {
  return sql`${sql.ref(`${sourceRow}.is_shown`)}`;
}

/** The keys by which facts identify releases, strongest first. */
export const factKinds = ['crc', 'serial', 'name'] as const satisfies MetadataKey[];

/**
 * Returns the fact that counts for each release and field, from facts (release_id, field, value,
 * kind). The strongest kind counts, and within a kind the first value.
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
