// The functions in this file decide which of several values a field gets. All importing code uses
// these functions. Fields edited by hand keep their value. Other fields show the values of the
// source that created the release. Among several facts, the strongest fact is used.

import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { MetadataKey } from '../../../core/imports/metadata.ts';

/** Returns the condition that a user edited this field of a release. */
export function isEdited(releaseId: Expression<unknown>, field: string): RawBuilder<SqlBool> {
  return sql`EXISTS (SELECT 1 FROM release_edit AS edit
    WHERE edit.release_id = ${releaseId} AND edit.field = ${sql.lit(field)})`;
}

/** Returns the condition that a user edited any field of a release. */
export function isEditedAnywhere(releaseId: Expression<unknown>): RawBuilder<SqlBool> {
  return sql`EXISTS (SELECT 1 FROM release_edit AS edit WHERE edit.release_id = ${releaseId})`;
}

/**
 * Returns the condition that a release shows the data of this `source_row`, because its source
 * created the release.
 */
export function isShown(sourceRow: string): RawBuilder<SqlBool> {
  return sql`${sql.ref(`${sourceRow}.is_shown`)}`;
}

/** The kinds of key by which facts identify releases, strongest first. */
export const factKinds = ['crc', 'serial', 'name'] as const satisfies MetadataKey[];

/**
 * Returns the fact to use for each release and field. `facts` is a query with the columns
 * `release_id`, `field`, `value` and `kind`. The fact of the strongest kind is used. If several
 * facts have this kind, the fact whose value sorts first is used.
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
