import { sql } from 'kysely';
import type { StagingDatabase } from './staging-run.ts';

/**
 * Merges rows that have the same name and dump into the first row of the group. The first row gets
 * the serials of all rows, and the first region that any row states. Reads and writes `staged_row`,
 * `staged_rom` and `staged_serial`; writes `repeated_row`.
 */
export async function mergeRepeatedRows(db: StagingDatabase): Promise<void> {
  if ((await findRepeatedRows(db)) === 0) return;
  await mergeTexts(db);
  await mergeSerialsOfRoms(db);
  await sql`INSERT INTO ${staged.serials} (row_position, serial)
    SELECT repeated.first_position, other.serial FROM ${staged.repeated} AS repeated
    JOIN ${staged.serials} AS other ON other.row_position = repeated.position
    WHERE true ON CONFLICT DO NOTHING`.execute(db);
  await db
    .deleteFrom('staged_row')
    .where('position', 'in', (from) =>
      from
        .selectFrom('repeated_row')
        .select('position')
        .whereRef('position', '<>', 'first_position'),
    )
    .execute();
}
const staged = {
  rows: sql.table('staged_row'),
  roms: sql.table('staged_rom'),
  serials: sql.table('staged_serial'),
  repeated: sql.table('repeated_row'),
};

/**
 * Writes the groups of repeated rows, and returns the number of rows beyond the first of each
 * group.
 */
async function findRepeatedRows(db: StagingDatabase): Promise<number> {
  const firsts = sql`SELECT position,
      min(position) OVER (PARTITION BY name, dump ORDER BY position) AS first_position
    FROM ${staged.rows}`;
  const [others] = await db.runAll([
    sql`INSERT INTO ${staged.repeated} (first_position, position)
      SELECT first_position, position FROM (${firsts}) AS row_of_pair
      WHERE position <> first_position`,
    sql`INSERT INTO ${staged.repeated} (first_position, position)
      SELECT DISTINCT first_position, first_position FROM ${staged.repeated}`,
  ]);
  return Number(others?.numAffectedRows ?? 0);
}

/** Merges the serials and regions of repeated rows. Each serial is included once, in file order. */
async function mergeTexts(db: StagingDatabase): Promise<void> {
  const { joinTexts } = db.dialect;
  const sameRow = sql`FROM ${staged.repeated} AS repeated
    JOIN ${staged.rows} AS same ON same.position = repeated.position
    WHERE repeated.first_position = ${sql.ref('staged_row.position')}`;
  const serials = sql`SELECT same.serial, min(same.position) AS position ${sameRow}
    AND same.serial <> '' GROUP BY same.serial`;
  const searches = sql`SELECT same.serial_search, min(same.position) AS position ${sameRow}
    AND same.serial_search <> '' AND same.position <> repeated.first_position
    GROUP BY same.serial_search`;
  const region = sql`SELECT same.region ${sameRow} AND same.region <> ''
    ORDER BY same.position LIMIT 1`;
  await sql`UPDATE ${staged.rows} SET
      serial = coalesce((SELECT ${joinTexts(sql`serial`, ', ', sql`position`)}
        FROM (${serials}) AS given), ''),
      region = coalesce((${region}), ''),
      search = search || coalesce((SELECT ' ' || ${joinTexts(sql`serial_search`, ' ', sql`position`)}
        FROM (${searches}) AS found_by), '')
    WHERE position IN (SELECT first_position FROM ${staged.repeated})`.execute(db);
}

async function mergeSerialsOfRoms(db: StagingDatabase): Promise<void> {
  const { joinTexts } = db.dialect;
  const serials = sql`SELECT same.serial, min(same.row_position) AS position
    FROM ${staged.repeated} AS repeated
    JOIN ${staged.roms} AS same ON same.row_position = repeated.position
    WHERE repeated.first_position = ${sql.ref('staged_rom.row_position')}
      AND same.position = ${sql.ref('staged_rom.position')} AND same.serial <> ''
    GROUP BY same.serial`;
  await sql`UPDATE ${staged.roms} SET
      serial = coalesce((SELECT ${joinTexts(sql`serial`, ', ', sql`position`)}
        FROM (${serials}) AS given), '')
    WHERE row_position IN (SELECT first_position FROM ${staged.repeated})`.execute(db);
}
