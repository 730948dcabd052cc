import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../engine.ts';
import type { Owner } from './owner.ts';

/**
 * Finds the release of every staged row (decisions.md, Imports): among the source's own rows by name and dump, then by
 * dump, then by name; then, by dump only, among releases that other sources of the platform brought. Each release is
 * given to one row.
 */
export async function matchRows(trx: Database, { sourceId, platformId }: Owner): Promise<void> {
  await sql`CREATE TEMP TABLE known AS
    SELECT release_id, name, dump_sha1, dump_md5, dump_crc FROM source_row
    WHERE source_id = ${sourceId} ORDER BY release_id`.execute(trx);
  if (await someAreKnown(trx)) {
    for (const dump of dumpKeys) await match(trx, 'own', dump, true);
    for (const dump of dumpKeys) await match(trx, 'own', dump, false);
    await match(trx, 'own', noDump, true);
  }
  await sql`DROP TABLE known`.execute(trx);

  await sql`CREATE TEMP TABLE known AS
    SELECT release_id, name, dump_sha1, dump_md5, dump_crc FROM source_row
    WHERE source_id IN (
        SELECT id FROM source WHERE platform_id = ${platformId} AND id <> ${sourceId})
      AND is_shown AND release_id NOT IN (SELECT release_id FROM source_row WHERE source_id = ${sourceId})
    ORDER BY release_id`.execute(trx);
  if (await someAreKnown(trx)) {
    for (const dump of [...dumpKeys, bothWithoutDump]) await match(trx, 'joined', dump, true);
    for (const dump of dumpKeys) await match(trx, 'joined', dump, false);
  }
  await sql`DROP TABLE known`.execute(trx);
}

async function someAreKnown(trx: Database): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM known LIMIT 1`.execute(trx);
  return rows.length > 0;
}

/** How two rows are compared: the column that must be equal, and what else must hold of `s` and `k`. */
interface Comparison {
  readonly key: string;
  readonly keyIsGiven: boolean;
  readonly and: string;
}

/** The strongest hash that both have: sha1; where one lacks it md5; where one lacks that too, crc and size. */
const dumpKeys: Comparison[] = [
  { key: 'dump_sha1', keyIsGiven: true, and: '1' },
  { key: 'dump_md5', keyIsGiven: true, and: `(s.dump_sha1 = '' OR k.dump_sha1 = '')` },
  {
    key: 'dump_crc',
    keyIsGiven: true,
    and: `(s.dump_sha1 = '' OR k.dump_sha1 = '') AND (s.dump_md5 = '' OR k.dump_md5 = '')`,
  },
];

/** By name alone. */
const noDump: Comparison = { key: `''`, keyIsGiven: false, and: '1' };

/** By name, where neither has any hash. */
const bothWithoutDump: Comparison = {
  key: `''`,
  keyIsGiven: false,
  and: `s.dump = '' AND k.dump_sha1 || k.dump_md5 || k.dump_crc = ''`,
};

/** Pairs the first free row with the first free release of the same key, the second with the second, and so on. */
async function match(
  trx: Database,
  how: 'own' | 'joined',
  comparison: Comparison,
  byName: boolean,
): Promise<void> {
  const { key, keyIsGiven, and } = comparison;
  const given = keyIsGiven ? `AND ${key} <> ''` : '';
  const pair = byName ? `${key}, name` : key;
  // Nothing else, for they are sorted.
  const compared = (more: string) => `name, dump_sha1, dump_md5, ${more}`;
  const statement: RawBuilder<unknown> = sql.raw(`
    UPDATE stage_row SET release_id = pairs.release_id, how = '${how}' FROM (
      SELECT s.position, k.release_id FROM (
        SELECT position, ${compared('dump')}, ${key} AS same_key,
          row_number() OVER (PARTITION BY ${pair} ORDER BY position) AS turn
        FROM stage_row WHERE release_id IS NULL ${given}
      ) AS s JOIN (
        SELECT release_id, ${compared('dump_crc')}, ${key} AS same_key,
          row_number() OVER (PARTITION BY ${pair} ORDER BY release_id) AS turn
        FROM known WHERE NOT EXISTS (
          SELECT 1 FROM stage_row AS taken WHERE taken.release_id = known.release_id) ${given}
      ) AS k ON k.same_key = s.same_key AND k.turn = s.turn ${byName ? 'AND k.name = s.name' : ''}
      WHERE ${and}
    ) AS pairs WHERE stage_row.position = pairs.position`);
  await statement.execute(trx);
}

/**
 * The source that a DAT continues: of the sources with the same header name, the one that knows most of its rows by
 * name and dump, if that is at least half of them; null when it is a new source.
 */
export async function findContinued(
  trx: Database,
  platformId: number,
  headerName: string,
): Promise<number | null> {
  const candidates = await trx
    .selectFrom('source')
    .select('id')
    .where('platform_id', '=', platformId)
    .where('header_name', '=', headerName)
    .orderBy('id')
    .execute();
  const ids = candidates.map(({ id }) => id);
  if (ids.length === 0) return null;
  // Of one candidate, what it knows by SHA-1 is nearly always enough, at a quarter of the work.
  const bySha1 = ids.length === 1 ? await findKnowing(trx, ids, dumpKeys.slice(0, 1)) : null;
  return bySha1 ?? (await findKnowing(trx, ids, [...dumpKeys, bothWithoutDump]));
}

/** The source that knows most of the rows by name and by one of the comparisons, if that is at least half of them. */
async function findKnowing(
  trx: Database,
  sourceIds: readonly number[],
  comparisons: readonly Comparison[],
): Promise<number | null> {
  // One equality each, so that rows of one name do not meet all others of that name.
  const pairs = comparisons.map(({ key, keyIsGiven, and }) => {
    const given = keyIsGiven ? `AND s.${key} <> '' AND s.${key} = k.${key}` : '';
    return sql.raw(`SELECT k.source_id, s.position FROM known AS k
      JOIN stage_row AS s ON s.name = k.name ${given} WHERE ${and}`);
  });
  const { rows } = await sql<{ id: number }>`
    WITH known AS MATERIALIZED (
      SELECT source_id, source_row.name, dump_sha1, dump_md5, dump_crc FROM source_row
      WHERE source_id IN (SELECT value FROM json_each(${JSON.stringify(sourceIds)}))
    ), pair AS (${sql.join(pairs, sql` UNION `)})
    SELECT source_id AS id FROM (SELECT DISTINCT source_id, position FROM pair)
    GROUP BY source_id HAVING count(*) * 2 >= (SELECT count(*) FROM stage_row)
    ORDER BY count(*) DESC, source_id LIMIT 1`.execute(trx);
  return rows[0]?.id ?? null;
}
