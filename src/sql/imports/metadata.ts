import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../engine.ts';

/** Leaves the staged facts that are news in the TEMP table `fact_change`. */
export async function planFacts(db: Database, platformId: number): Promise<void> {
  await sql`INSERT INTO fact_change
    SELECT kind, key, field, value FROM stage_fact WHERE NOT EXISTS (
      SELECT 1 FROM metadata_row AS m
      WHERE m.platform_id = ${platformId} AND m.kind = stage_fact.kind AND m.key = stage_fact.key
        AND m.field = stage_fact.field AND m.value = stage_fact.value)
    ORDER BY kind, key, field`.execute(db);
}

/** Keeps planned facts, for releases that are there and for those that come later. */
export async function rememberFacts(trx: Database, platformId: number): Promise<void> {
  await sql`INSERT INTO metadata_row (platform_id, kind, key, field, value)
    SELECT ${platformId}, kind, key, field, value FROM fact_change WHERE true
    ON CONFLICT (platform_id, kind, key, field) DO UPDATE SET value = excluded.value`.execute(trx);
}

/**
 * Plans metadata and missing serials for the releases that planned rows touch (`sourceId` of a DAT) or for all of the
 * platform (null, a metadata file), from what is known of the platform and what the file adds: a fact by crc before one
 * by serial before one by name. Fields edited by hand stay. Leaves what is to be written in the TEMP tables `fill` and
 * `fill_serial`; returns of how many releases.
 */
export async function planFills(
  db: Database,
  platformId: number,
  sourceId: number | null,
): Promise<number> {
  if (!(await someFacts(db, platformId))) return 0;
  await collectAffected(db, platformId, sourceId);
  await collectOffers(db, platformId, sourceId);
  const serials = await planSerials(db);
  if (serials > 0) await collectOffers(db, platformId, sourceId); // other facts may go by them
  await planFields(db);
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM (
    SELECT release_id FROM fill_serial UNION SELECT release_id FROM fill)`.execute(db);
  return rows[0]?.count ?? 0;
}

/** What a filled serial adds to the text that search looks at. */
export const serialForms = sql`lower(fill_serial.value) || ' ' || lower(fill_serial.normalised)`;

/** Keeps filled serials in their normalised form. */
export async function addFilledSerials(trx: Database, which: RawBuilder<unknown>): Promise<void> {
  await sql`INSERT OR IGNORE INTO release_serial (release_id, source_id, serial)
    SELECT release_id, 0, normalised FROM fill_serial WHERE ${which} ORDER BY 1`.execute(trx);
}

async function someFacts(db: Database, platformId: number): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM stage_fact
    UNION ALL SELECT 1 FROM metadata_row WHERE platform_id = ${platformId} LIMIT 1`.execute(db);
  return rows.length > 0;
}

async function collectAffected(
  db: Database,
  platformId: number,
  sourceId: number | null,
): Promise<void> {
  if (sourceId === null) {
    await sql`INSERT INTO affected SELECT id, NULL, 0, 0 FROM release
      WHERE platform_id = ${platformId} ORDER BY id`.execute(db);
    return;
  }
  await sql`INSERT INTO affected SELECT release_id, position, 1, 1
    FROM stage_row WHERE how = 'new' ORDER BY release_id`.execute(db);
  await sql`INSERT INTO affected SELECT release_id, position, is_shown, has_other_roms
    FROM stage_change`.execute(db);
}

async function collectOffers(
  db: Database,
  platformId: number,
  sourceId: number | null,
): Promise<void> {
  // What this source said before no longer counts.
  const fromOthers = sourceId === null ? sql`true` : sql`source_id <> ${sourceId}`;
  const facts = (kind: string, strength: number) => sql`
    SELECT release_id, field, value, ${strength} AS strength FROM keys
    CROSS JOIN metadata_row AS m
      ON m.platform_id = ${platformId} AND m.kind = ${kind} AND m.key = keys.key
    WHERE keys.kind = ${kind} AND NOT EXISTS (
      SELECT 1 FROM stage_fact AS f WHERE f.kind = ${kind} AND f.key = m.key AND f.field = m.field)
    UNION ALL SELECT release_id, field, value, ${strength} FROM keys
    CROSS JOIN stage_fact AS f ON f.kind = ${kind} AND f.key = keys.key
    WHERE keys.kind = ${kind}`;
  await sql`DELETE FROM offer`.execute(db);
  await sql`INSERT INTO offer (release_id, field, value)
    WITH keys AS (
      SELECT release_id, 'crc' AS kind, rom.crc32 AS key
        FROM affected CROSS JOIN rom USING (release_id) WHERE NOT has_stage_roms
      UNION SELECT release_id, 'crc', stage_rom.crc32
        FROM affected CROSS JOIN stage_rom ON row_position = affected.position WHERE has_stage_roms
      UNION SELECT release_id, 'serial', serial
        FROM affected CROSS JOIN release_serial USING (release_id) WHERE ${fromOthers}
      UNION SELECT release_id, 'serial', stage_serial.serial
        FROM affected CROSS JOIN stage_serial ON row_position = affected.position
      UNION SELECT release_id, 'serial', normalised FROM fill_serial
      UNION SELECT release_id, 'name', name
        FROM affected CROSS JOIN source_row USING (release_id) WHERE ${fromOthers}
      UNION SELECT affected.release_id, 'name', name
        FROM affected CROSS JOIN stage_row USING (position)
    ), facts AS (
      ${facts('crc', 1)} UNION ALL ${facts('serial', 2)} UNION ALL ${facts('name', 3)}
    )
    SELECT release_id, field, value FROM (
      SELECT *, row_number() OVER (PARTITION BY release_id, field ORDER BY strength, value) AS rank
      FROM facts
    ) WHERE rank = 1`.execute(db);
}

async function planSerials(db: Database): Promise<number> {
  const result = await sql`INSERT INTO fill_serial
    SELECT offer.release_id, value, upper(replace(replace(replace(value, '-', ''), ' ', ''), '_', ''))
    FROM offer JOIN affected USING (release_id)
    LEFT JOIN stage_row USING (position)
    LEFT JOIN release ON release.id = offer.release_id
    WHERE field = 'serial' AND CASE WHEN shows_stage THEN stage_row.serial ELSE release.serial END = ''
      AND NOT ${isEdited(sql`offer.release_id`, 'serial')}`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

const fields = ['developer', 'publisher', 'genre', 'franchise', 'release_date'] as const;

function isEdited(releaseId: RawBuilder<unknown>, field: string): RawBuilder<boolean> {
  return sql`EXISTS (SELECT 1 FROM release_edit AS e WHERE e.release_id = ${releaseId} AND e.field = ${field})`;
}

/** What is offered for each release, as columns. */
function offeredFields() {
  const of = (field: string) => sql`max(CASE WHEN field = ${field} THEN value END)`;
  const [year, month] = [of('year'), sql`${of('year')} || '-' || ${of('month')}`];
  const day = sql`${month} || '-' || ${of('day')}`;
  // As precisely as it is known; date() moves a day that the month lacks to the next one.
  const date = sql`coalesce(CASE WHEN date(${day}) = ${day} THEN ${day} END, ${month}, ${year})`;
  return sql`SELECT release_id, ${of('developer')} AS developer, ${of('publisher')} AS publisher,
      ${of('genre')} AS genre, ${of('franchise')} AS franchise, ${date} AS release_date
    FROM offer GROUP BY release_id HAVING max(field NOT IN ('month', 'day', 'serial'))`;
}

async function planFields(db: Database): Promise<void> {
  const differs = fields.map((field) => {
    const offered = sql.ref(`offered.${field}`);
    return sql`(${offered} IS NOT NULL AND ${offered} IS NOT ${sql.ref(`meta.${field}`)}
      AND NOT ${isEdited(sql`offered.release_id`, field)})`;
  });
  await sql`INSERT INTO fill
    SELECT offered.* FROM (${offeredFields()}) AS offered
    LEFT JOIN release_meta AS meta USING (release_id)
    WHERE meta.release_id IS NULL OR ${sql.join(differs, sql` OR `)}`.execute(db);
}

/** Writes the planned metadata and serials of releases below the id `firstNew`; what was edited since stays. */
export async function applyFills(trx: Database, firstNew: number): Promise<void> {
  await sql`DELETE FROM fill_serial WHERE release_id < ${firstNew} AND NOT EXISTS (
    SELECT 1 FROM release WHERE id = release_id AND release.serial = ''
      AND NOT ${isEdited(sql`id`, 'serial')})`.execute(trx);
  await sql`UPDATE release SET serial = (SELECT value FROM fill_serial WHERE release_id = id)
    WHERE id IN (SELECT release_id FROM fill_serial WHERE release_id < ${firstNew})`.execute(trx);
  await addFilledSerials(trx, sql`release_id < ${firstNew}`);
  const kept = (field: string) => sql`CASE WHEN ${isEdited(sql`release_meta.release_id`, field)}
    THEN ${sql.ref(field)} ELSE coalesce(${sql.ref(`excluded.${field}`)}, ${sql.ref(field)}) END`;
  const sets = sql.join(fields.map((field) => sql`${sql.ref(field)} = ${kept(field)}`));
  await sql`INSERT INTO release_meta
      (release_id, title, manual, developer, publisher, genre, franchise, release_date)
    SELECT release_id, '', 0, developer, publisher, genre, franchise, release_date
    FROM fill WHERE release_id < ${firstNew}
    ON CONFLICT (release_id) DO UPDATE SET ${sets}`.execute(trx);
}

/** After `planFills` for a metadata file: its fields that stay as they were edited. */
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
