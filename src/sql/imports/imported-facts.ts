import { type RawBuilder, sql } from 'kysely';
import { type FilledField, filledFields } from '../../core/shared/release-fields.ts';
import type { Database } from '../engine/engine.ts';
import { fieldOfFacts } from './plan/field-of-facts.ts';
import { strongestFacts } from './plan/precedence.ts';

/** The facts about a release from metadata files. A field without a fact is null. */
export type ImportedFacts = Readonly<Record<FilledField | 'serial', string | null>>;

/**
 * Returns the `ImportedFacts` of a release as JSON, read from the stored facts. The facts are
 * selected by the same rules as in imports (`offered-facts.ts`). A release's own serial is also
 * used to find facts. Facts found by that serial cannot replace the serial of the release.
 */
export function importedFacts({ dialect }: Database, releaseId: number): RawBuilder<string> {
  const keys = sql`SELECT 'crc' AS kind, crc32 AS key, false AS is_own
      FROM rom WHERE release_id = ${releaseId}
    UNION SELECT 'serial', serial, source_id = 0
      FROM release_serial WHERE release_id = ${releaseId}
    UNION SELECT 'name', name, false FROM source_row WHERE release_id = ${releaseId}`;
  const facts = sql`SELECT release.id AS release_id, fact.field, fact.value, fact.kind
    FROM (${keys}) AS named
    JOIN release ON release.id = ${releaseId}
    JOIN metadata_row AS fact ON fact.platform_id = release.platform_id
      AND fact.kind = named.kind AND fact.key = named.key
    WHERE NOT (named.is_own AND fact.field = 'serial')`;
  const fields = [...filledFields, 'serial' as const].map((field) => [field, fieldOfFacts(field)]);
  return sql`(SELECT ${dialect.jsonObject(Object.fromEntries(fields))}
    FROM (${strongestFacts(facts)}) AS fact)`;
}
