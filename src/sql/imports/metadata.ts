import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';

type Database = Kysely<Tables>;

/** Keeps what the staged facts say, for releases that are there and for those that come later. */
export async function rememberFacts(trx: Database, platformId: number): Promise<void> {
  await sql`INSERT INTO metadata_row (platform_id, kind, key, field, value)
    SELECT ${platformId}, kind, key, field, value FROM stage_fact WHERE true
    ON CONFLICT (platform_id, kind, key, field) DO UPDATE SET value = excluded.value
    WHERE value <> excluded.value`.execute(trx);
}

/**
 * Fills metadata and missing serials of the releases in the TEMP table `affected` from what is known of their platform:
 * a fact by crc before one by serial before one by name. Fields edited by hand stay. Returns how many releases changed.
 */
export async function fillMetadata(trx: Database, platformId: number): Promise<number> {
  const known = await trx
    .selectFrom('metadata_row')
    .select('platform_id')
    .where('platform_id', '=', platformId)
    .limit(1)
    .executeTakeFirst();
  if (!known) return 0;
  await collectOffers(trx, platformId);
  const serials = await fillSerials(trx);
  if (serials > 0) await collectOffers(trx, platformId); // other facts may go by them
  return serials + (await fillFields(trx));
}

/** The releases of a platform, for `fillMetadata` after a metadata file. */
export async function affectPlatform(trx: Database, platformId: number): Promise<void> {
  await sql`CREATE TEMP TABLE affected AS
    SELECT id AS release_id FROM release WHERE platform_id = ${platformId}`.execute(trx);
}

async function collectOffers(trx: Database, platformId: number): Promise<void> {
  const facts = (kind: string, strength: number) => sql`
    SELECT release_id, field, value, ${strength} AS strength FROM keys
    CROSS JOIN metadata_row AS m
      ON m.platform_id = ${platformId} AND m.kind = ${kind} AND m.key = keys.key
    WHERE keys.kind = ${kind}`;
  await sql`DELETE FROM offer`.execute(trx);
  await sql`INSERT INTO offer (release_id, field, value)
    WITH keys AS (
      SELECT release_id, 'crc' AS kind, crc32 AS key FROM affected JOIN rom USING (release_id)
      UNION SELECT release_id, 'serial', serial FROM affected JOIN release_serial USING (release_id)
      UNION SELECT release_id, 'name', name FROM affected JOIN source_row USING (release_id)
    ), facts AS (
      ${facts('crc', 1)} UNION ALL ${facts('serial', 2)} UNION ALL ${facts('name', 3)}
    )
    SELECT release_id, field, value FROM (
      SELECT *, row_number() OVER (PARTITION BY release_id, field ORDER BY strength, value) AS rank
      FROM facts
    ) WHERE rank = 1`.execute(trx);
}

const fields = ['developer', 'publisher', 'genre', 'franchise', 'release_date'] as const;

/** What is offered for each release, as a row of `release_meta`. */
function offeredFields() {
  const of = (field: string) => sql`max(CASE WHEN field = ${field} THEN value END)`;
  // A date as precisely as it is known: year, year and month, or all three.
  const date = sql`${of('year')} || coalesce('-' || ${of('month')} || coalesce('-' || ${of('day')}, ''), '')`;
  return sql`SELECT release_id, '' AS title, 0 AS manual, ${of('developer')} AS developer,
      ${of('publisher')} AS publisher, ${of('genre')} AS genre, ${of('franchise')} AS franchise,
      ${date} AS release_date
    FROM offer GROUP BY release_id HAVING max(field NOT IN ('month', 'day', 'serial'))`;
}

async function fillFields(trx: Database): Promise<number> {
  const kept = (field: string) => sql`CASE WHEN EXISTS (
      SELECT 1 FROM release_edit AS e
      WHERE e.release_id = release_meta.release_id AND e.field = ${field})
    THEN ${sql.ref(field)} ELSE coalesce(${sql.ref(`excluded.${field}`)}, ${sql.ref(field)}) END`;
  const sets = sql.join(fields.map((field) => sql`${sql.ref(field)} = ${kept(field)}`));
  const differs = sql.join(
    fields.map((field) => sql`${sql.ref(field)} IS NOT ${kept(field)}`),
    sql` OR `,
  );
  const result = await sql`INSERT INTO release_meta
      (release_id, title, manual, developer, publisher, genre, franchise, release_date)
    SELECT * FROM (${offeredFields()}) WHERE true
    ON CONFLICT (release_id) DO UPDATE SET ${sets} WHERE ${differs}`.execute(trx);
  return Number(result.numAffectedRows ?? 0);
}

/** After `fillMetadata` for a metadata file: its fields that stay as they were edited. */
export function protectedFacts(): RawBuilder<unknown> {
  const queries = fields.map((field) => {
    const staged = field === 'release_date' ? 'year' : field;
    const [shown, offered] = [sql.ref(`meta.${field}`), sql.ref(`offered.${field}`)];
    return sql`SELECT release.name || ': ' || ${field} || ' stays ' || coalesce(${shown}, '')
        || ', the file says ' || ${offered} AS name
      FROM (${offeredFields()}) AS offered
      JOIN release_edit AS e ON e.release_id = offered.release_id AND e.field = ${field}
      JOIN release_meta AS meta ON meta.release_id = offered.release_id
      JOIN release ON release.id = offered.release_id
      WHERE ${offered} IS NOT NULL AND ${offered} IS NOT ${shown}
        AND EXISTS (SELECT 1 FROM stage_fact WHERE field = ${staged})`;
  });
  return sql.join(queries, sql` UNION ALL `);
}

async function fillSerials(trx: Database): Promise<number> {
  const missing = sql`SELECT release_id, value FROM offer
    JOIN release ON release.id = offer.release_id AND release.serial = ''
    WHERE field = 'serial' AND NOT EXISTS (
      SELECT 1 FROM release_edit AS e WHERE e.release_id = offer.release_id AND e.field = 'serial')`;
  await sql`INSERT OR IGNORE INTO release_serial (release_id, source_id, serial)
    SELECT release_id, 0, upper(replace(replace(replace(value, '-', ''), ' ', ''), '_', ''))
    FROM (${missing})`.execute(trx);
  await sql`UPDATE release_text SET text = text || ' ' || lower(value)
      || ' ' || lower(replace(replace(replace(value, '-', ''), ' ', ''), '_', ''))
    FROM (${missing}) AS missing
    WHERE release_text.release_id = missing.release_id`.execute(trx);
  const result = await sql`UPDATE release SET serial = missing.value
    FROM (${missing}) AS missing WHERE release.id = missing.release_id`.execute(trx);
  return Number(result.numAffectedRows ?? 0);
}
