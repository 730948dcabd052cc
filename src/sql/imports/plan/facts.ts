import { type RawBuilder, sql } from 'kysely';
import type { StagingDatabase } from '../stage/staging-run.ts';

/**
 * Finds the staged facts that are not yet stored for the platform. Reads `staged_fact`; writes
 * `new_fact`.
 */
export async function planFacts(db: StagingDatabase, platformId: number | null): Promise<void> {
  const isKnown = db.dialect.equalsKey(sql.ref('known.key'), sql.ref('staged.key'));
  await sql`INSERT INTO ${sql.table('new_fact')} (kind, key, field, value)
    SELECT kind, key, field, value FROM ${sql.table('staged_fact')} AS staged
    WHERE NOT EXISTS (
      SELECT 1 FROM metadata_row AS known
      WHERE known.platform_id = ${platformId} AND known.kind = staged.kind AND ${isKnown}
        AND known.field = staged.field AND known.value = staged.value)
    ORDER BY kind, key, field`.execute(db);
}

/**
 * Returns the statement that stores the new facts of a platform, which also apply to releases
 * imported later. Reads `new_fact`.
 */
export function storeFacts(
  { dialect }: Pick<StagingDatabase, 'dialect'>,
  platformId: number,
): RawBuilder<unknown> {
  return sql`INSERT INTO metadata_row (platform_id, kind, key, field, value)
    SELECT ${platformId}, kind, key, field, value FROM ${sql.table('new_fact')} WHERE true
    ON CONFLICT (platform_id, kind, ${sql.raw(dialect.uniqueKey('key'))}, field)
    DO UPDATE SET value = excluded.value`;
}
