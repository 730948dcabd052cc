import { type RawBuilder, sql } from 'kysely';
import { columns } from '../stage/columns.ts';
import type { StagingDatabase } from '../stage/staging-run.ts';
import {
  byDump,
  byNameAlone,
  comparedColumns,
  type DumpComparison,
  withoutDump,
} from './dump-comparison.ts';
import { isShown } from './precedence.ts';

type Candidates = 'own_candidate' | 'other_candidate';

/**
 * Finds the release that each staged row describes (docs/api/decisions.md, Imports).
 *
 * The first step matches releases that the source listed before: by name and dump, then by dump,
 * then by name. The second step matches releases that other sources of the platform created: by
 * name and dump, then by dump. In the second step, the name alone is enough if neither the row nor
 * the release has a hash.
 *
 * Each release matches at most one row. Ignores releases from the id `end` on. Reads `staged_row`;
 * writes `own_candidate`, `other_candidate` and `matched_row`.
 */
export async function matchRows(
  db: StagingDatabase,
  { platformId, sourceId, end }: { platformId: number; sourceId: number | null; end: number },
): Promise<void> {
  if (sourceId !== null && (await collectOwn(db, sourceId, end)) > 0) {
    for (const dump of byDump) await match(db, 'own_candidate', dump, true);
    for (const dump of byDump) await match(db, 'own_candidate', dump, false);
    await match(db, 'own_candidate', byNameAlone, true);
  }
  if ((await collectOthers(db, platformId, sourceId, end)) > 0) {
    for (const dump of [...byDump, withoutDump]) await match(db, 'other_candidate', dump, true);
    for (const dump of byDump) await match(db, 'other_candidate', dump, false);
  }
}

async function collectOwn(db: StagingDatabase, sourceId: number, end: number): Promise<number> {
  const own = sql`source_row.source_id = ${sourceId}`;
  return collect(db, 'own_candidate', own, end);
}

async function collectOthers(
  db: StagingDatabase,
  platformId: number,
  sourceId: number | null,
  end: number,
): Promise<number> {
  const others = sql`source_row.source_id IN (
      SELECT id FROM source WHERE platform_id = ${platformId} AND id IS DISTINCT FROM ${sourceId})
    AND ${isShown('source_row')}
    AND source_row.release_id NOT IN (SELECT release_id FROM source_row AS own WHERE own.source_id = ${sourceId})`;
  return collect(db, 'other_candidate', others, end);
}

/** Writes the candidate releases. Returns the number of candidates. */
async function collect(
  db: StagingDatabase,
  candidates: Candidates,
  which: RawBuilder<unknown>,
  end: number,
): Promise<number> {
  const compared = columns(['release_id', ...comparedColumns]);
  const { numAffectedRows } = await sql`INSERT INTO ${sql.table(candidates)} (${compared})
    SELECT ${compared} FROM source_row WHERE ${which} AND source_row.release_id < ${end}
    ORDER BY release_id`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Matches unmatched rows with unmatched releases that have the same key. If several rows and
 * releases have the same key, the first row matches the first release, the second row the second
 * release, and so on.
 */
async function match(
  db: StagingDatabase,
  candidates: Candidates,
  { key, and }: DumpComparison,
  byName: boolean,
): Promise<void> {
  const same = [...(key === null ? [] : [key]), ...(byName ? ['name'] : [])];
  const given = key === null ? sql`true` : sql`${sql.ref(key)} <> ''`;
  // Selects only the columns that are compared, because the rows are sorted.
  const compared = columns(comparedColumns);
  const free = (id: 'position' | 'release_id', from: RawBuilder<unknown>) => sql`
    SELECT ${sql.ref(id)}, ${compared}, row_number() OVER (
      PARTITION BY ${columns(same)} ORDER BY ${sql.ref(id)}) AS turn
    FROM ${from} AS free WHERE ${given} AND NOT EXISTS (
      SELECT 1 FROM ${sql.table('matched_row')} AS taken
      WHERE ${sql.ref(`taken.${id}`)} = ${sql.ref(`free.${id}`)})`;
  const equal = ['turn', ...same].map((name) => {
    return sql`${sql.ref(`known.${name}`)} = ${sql.ref(`row_of_dat.${name}`)}`;
  });
  await sql`INSERT INTO ${sql.table('matched_row')} (position, release_id)
    SELECT row_of_dat.position, known.release_id
    FROM (${free('position', sql.table('staged_row'))}) AS row_of_dat
    JOIN (${free('release_id', sql.table(candidates))}) AS known ON ${sql.join(equal, sql` AND `)}
    WHERE ${and}`.execute(db);
}
