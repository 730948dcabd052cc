import { sql } from 'kysely';
import type { NearName } from '../../core/store/ports.ts';
import type { Database } from '../engine/engine.ts';

/**
 * Number of names that are read on each side of a text: before and after it. In all known
 * catalogues, fewer names begin with the same text.
 */
const eachSide = 32;

/**
 * Returns the names that sort directly before and after a text, from the tables `release`,
 * `source_row` and `rom`; see `StoreRecords.namesNear`.
 */
export async function namesNear(db: Database, text: string): Promise<NearName[]> {
  const sides = ['release', 'source_row', 'rom'].flatMap((table) => [
    oneSide(db, table, text, 'from'),
    oneSide(db, table, text, 'below'),
  ]);
  const { rows } = await sql<{ name: string; is_rom: number; id: number; release: string }>`
    SELECT near.name, near.is_rom, listed_release.id, listed_release.name AS release
    FROM (${sql.join(sides, sql` UNION `)}) AS near
    JOIN listed_release ON listed_release.id = near.release_id`.execute(db);
  return rows.map(({ name, is_rom, id, release }) => {
    return { name, isRom: is_rom === 1, release: { id, name: release } };
  });
}

function oneSide({ dialect }: Database, table: string, text: string, side: 'from' | 'below') {
  const id = sql.ref(table === 'release' ? 'id' : 'release_id');
  const isRom = sql.lit(table === 'rom' ? 1 : 0);
  const name = sql.ref('name');
  const [comparison, order] =
    side === 'from'
      ? [sql`>=`, dialect.textOrder(name)]
      : [sql`<`, dialect.textOrder(name, 'desc')];
  return sql`SELECT * FROM (
    SELECT name, ${isRom} AS is_rom, ${id} AS release_id FROM ${sql.table(table)}
    WHERE (${dialect.textOrder(name)}) ${comparison} (${dialect.textOrder(text)})
    ORDER BY ${order} LIMIT ${eachSide}) AS side`;
}
