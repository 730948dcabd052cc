import { sql } from 'kysely';
import type { StagingDatabase } from '../stage/staging-run.ts';
import { byDump, bySha1, type DumpComparison, withoutDump } from './dump-comparison.ts';

/**
 * Finds the existing source that a DAT continues, among the sources with the same header name. The
 * result is the source that has the most rows of the DAT, compared by name and dump. This source
 * must have at least half of the rows. Returns null if the DAT is a new source. Ignores releases
 * from the id `end` on. Reads `staged_row`.
 */
export async function findContinued(
  db: StagingDatabase,
  { platformId, headerName, end }: { platformId: number; headerName: string; end: number },
): Promise<number | null> {
  const candidates = await db
    .selectFrom('source')
    .select('id')
    .where('platform_id', '=', platformId)
    .where('header_name', '=', headerName)
    .orderBy('id')
    .execute();
  const ids = candidates.map(({ id }) => id);
  if (ids.length === 0) return null;
  // A single candidate nearly always matches by SHA-1 alone. The check by SHA-1 is much cheaper, so
  // this check comes first.
  const known = ids.length === 1 ? await findBestSource(db, ids, [bySha1], end) : null;
  return known ?? (await findBestSource(db, ids, [...byDump, withoutDump], end));
}

/**
 * Returns the source that has the most rows of the DAT. A source has a row if the name is the same
 * and at least one of the comparisons succeeds. Returns null if no source has at least half of the
 * rows.
 */
async function findBestSource(
  db: StagingDatabase,
  sourceIds: readonly number[],
  comparisons: readonly DumpComparison[],
  end: number,
): Promise<number | null> {
  // Uses one SELECT per comparison, each with an equality on one hash column. A single SELECT would
  // compare each row with all other rows of the same name.
  const pairs = comparisons.map(({ key, and }) => {
    const column = (of: string) => sql.ref(`${of}.${key}`);
    const given = sql`${column('row_of_dat')} <> '' AND ${column('row_of_dat')} = ${column('known')}`;
    return sql`SELECT known.source_id, row_of_dat.position FROM known
      JOIN ${sql.table('staged_row')} AS row_of_dat ON row_of_dat.name = known.name
      WHERE ${key === null ? sql`true` : given} AND ${and}`;
  });
  const { rows } = await sql<{ id: number }>`
    WITH known AS MATERIALIZED (
      SELECT source_id, name, dump_sha1, dump_md5, dump_crc FROM source_row
      WHERE source_id IN ${db.dialect.list(sourceIds, 'integer')} AND release_id < ${end}
    ), pair AS (${sql.join(pairs, sql` UNION `)})
    SELECT source_id AS id FROM (SELECT DISTINCT source_id, position FROM pair) AS known_row
    GROUP BY source_id HAVING count(*) * 2 >= (SELECT count(*) FROM ${sql.table('staged_row')})
    ORDER BY count(*) DESC, source_id LIMIT 1`.execute(db);
  return rows[0]?.id ?? null;
}
