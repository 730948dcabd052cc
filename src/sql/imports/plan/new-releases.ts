import { sql } from 'kysely';
import { type Range, rowsAtOnce } from '../apply/import-batches.ts';
import { hashesOf } from '../apply/rom-hashes.ts';
import { columns } from '../stage/columns.ts';
import type { StagingDatabase } from '../stage/staging-run.ts';
import { romColumns, statedColumns } from '../stage/staging-tables.ts';

/**
 * Assigns ids, from `first` on, to the rows that match no release. Returns the range of the ids.
 * For a file with few `rows`, the ids are in file order. A larger file is written in parts, in the
 * order of the ids. Its ids are in name order, so that each part adds neighbouring entries to the
 * name indexes. Reads the staged rows, ROMs and serials and `matched_row`; writes `new_release`,
 * `new_rom`, `new_serial`.
 */
export async function planNewReleases(
  db: StagingDatabase,
  { first, rows }: { first: number; rows: number },
): Promise<Range> {
  const order = rows > rowsAtOnce ? sql`name, position` : sql`position`;
  const added = await sql`INSERT INTO ${sql.table('new_release')}
      (release_id, position, kinds, ${columns(statedColumns)})
    SELECT row_number() OVER (ORDER BY ${order}) + ${first - 1}, position, kinds,
      ${columns(statedColumns)}
    FROM ${sql.table('staged_row')} AS staged
    WHERE NOT EXISTS (
      SELECT 1 FROM ${sql.table('matched_row')} AS matched WHERE matched.position = staged.position)`.execute(
    db,
  );
  // Joins by position, so that the staged tables are read sequentially. The result is sorted by id
  // afterwards.
  const byPosition = sql`WITH by_position AS MATERIALIZED (
    SELECT release_id, position FROM ${sql.table('new_release')} ORDER BY position)`;
  await sql`${byPosition}
    INSERT INTO ${sql.table('new_rom')} (release_id, position, ${columns(romColumns)})
    SELECT added.release_id, staged.position, ${columns(romColumns, 'staged')}
    FROM by_position AS added
    ${db.dialect.joinInOrder} ${sql.table('staged_rom')} AS staged
      ON staged.row_position = added.position
    ORDER BY added.release_id, staged.position`.execute(db);
  await sql`${byPosition}
    INSERT INTO ${sql.table('new_serial')} (release_id, serial)
    SELECT added.release_id, staged.serial
    FROM by_position AS added
    ${db.dialect.joinInOrder} ${sql.table('staged_serial')} AS staged
      ON staged.row_position = added.position
    ORDER BY added.release_id, staged.serial`.execute(db);
  return { from: first, to: first - 1 + Number(added.numAffectedRows ?? 0) };
}

/**
 * Writes the lookup hashes of new releases, sorted by hash, so that the hashes can later be
 * inserted in index order. Reads `new_rom`; writes `new_hash` and returns its range.
 */
export async function planHashes(db: StagingDatabase): Promise<Range> {
  const { numAffectedRows } = await sql`INSERT INTO ${sql.table('new_hash')} (hash, release_id)
    ${hashesOf(db, sql.table('new_rom'))} ORDER BY 1, 2`.execute(db);
  return { from: 1, to: Number(numAffectedRows ?? 0) };
}
