import { type RawBuilder, sql } from 'kysely';
import type { Method } from '../../core/library/library-file.ts';
import type { LookupKeys } from '../../core/library/match/lookup-keys.ts';
import { forEachInSlices } from '../../core/shared/concurrency/slices.ts';
import type { Database } from '../engine/engine.ts';

/** For each key, the ids of the releases that have this key. */
export type ReleasesByKey = Map<string, Set<number>>;

/**
 * Maximum number of releases that are read for one key. A key with more releases is too common to
 * identify a release.
 */
const maxPerKey = 200;

/**
 * Number of keys per query. A query returns one row for each key, with all matching release ids in
 * one text.
 */
const keysPerQuery = 1_000;

/** Returns the keys of a look-up for a method: hashes, serials or names. */
export function keysOf(lookupKeys: LookupKeys, method: Method): readonly string[] {
  if (method === 'serial') {
    return lookupKeys.gameCode === ''
      ? lookupKeys.serials
      : [...lookupKeys.serials, codeKey(lookupKeys.gameCode)];
  }
  if (method === 'name') return lookupKeys.names;
  if (method === 'crc32') return lookupKeys.images.map(({ crc32, size }) => `${crc32}:${size}`);
  return lookupKeys[method];
}

const codeKey = (gameCode: string) => `code:${gameCode}`;

/**
 * Returns, for each method, the releases that match the keys of all look-ups. If too many releases
 * match one key, only the releases with the lowest ids are included.
 */
export async function findReleasesByKeys(
  db: Database,
  lookups: readonly LookupKeys[],
): Promise<Record<Method, ReleasesByKey>> {
  const keys = (method: Method) => lookups.flatMap((lookupKeys) => keysOf(lookupKeys, method));
  const hashes = [...keys('sha1'), ...keys('md5'), ...keys('crc32')];
  const [hash, serial, codes, name] = await Promise.all([
    findByKeys(db, hashes, byHash),
    findByKeys(db, keys('serial'), bySerial),
    findByGameCode(db, lookups),
    findByKeys(db, keys('name'), byName),
  ]);
  // Keys of different kinds never collide, so one map can contain several kinds.
  return { sha1: hash, md5: hash, crc32: hash, serial: new Map([...serial, ...codes]), name };
}

type QueryFor = (db: Database, keys: readonly string[]) => RawBuilder<unknown>;

const byHash: QueryFor = ({ dialect }, keys) =>
  sql`SELECT hash AS key, release_id FROM rom_hash WHERE hash IN ${dialect.list(keys)}`;

const bySerial: QueryFor = ({ dialect }, keys) =>
  sql`SELECT serial AS key, release_id FROM release_serial
    WHERE ${dialect.isOneOf(sql.ref('serial'), keys)}`;

const byName: QueryFor = ({ dialect }, keys) => {
  const isKey = dialect.isOneOf(sql.ref('name'), keys);
  return sql`SELECT name AS key, id AS release_id FROM listed_release WHERE ${isKey}
    UNION SELECT name, release_id FROM source_row WHERE ${isKey}
    UNION SELECT name, min(release_id) FROM rom
      WHERE ${isKey} AND EXISTS (SELECT 1 FROM listed_release WHERE id = rom.release_id)
      GROUP BY name HAVING min(release_id) = max(release_id)`;
};

async function findByKeys(
  db: Database,
  keys: readonly string[],
  queryFor: QueryFor,
): Promise<ReleasesByKey> {
  const pointers: ReleasesByKey = new Map();
  // Searches many keys in one query. Most files have few keys, and each query is a round trip to
  // the database's thread.
  const all = [...new Set(keys)];
  for (let start = 0; start < all.length; start += keysPerQuery) {
    const some = all.slice(start, start + keysPerQuery);
    // Orders by id, so that the same releases are always omitted if a key has too many releases.
    const { rows } = await sql<{ key: string; ids: string }>`
      SELECT key, ${db.dialect.jsonArray(sql.ref('release_id'), sql.ref('release_id'))} AS ids
      FROM (SELECT key, release_id,
          row_number() OVER (PARTITION BY key ORDER BY release_id) AS place
        FROM (SELECT DISTINCT key, release_id FROM (${queryFor(db, some)}) AS found) AS pointing
      ) AS placed
      WHERE place <= ${sql.lit(maxPerKey)} GROUP BY key`.execute(db);
    await forEachInSlices(rows, ({ key, ids }) => {
      pointers.set(key, new Set(JSON.parse(ids) as number[]));
    });
  }
  return pointers;
}

/**
 * Finds releases by the game codes of Nintendo discs. A game code is one part of the printed
 * serial: GW7P in DL-DOL-GW7P-EUR.
 */
async function findByGameCode(
  db: Database,
  lookups: readonly LookupKeys[],
): Promise<ReleasesByKey> {
  const { dialect } = db;
  const pointers: ReleasesByKey = new Map();
  for (const code of new Set(lookups.map((lookupKeys) => lookupKeys.gameCode))) {
    if (!/^[A-Z0-9]{4}$/.test(code)) continue;
    const { rows } = await sql<{ id: number; serial: string }>`
      SELECT source_row.release_id AS id, source_row.serial
      FROM (${dialect.searchHits('text', `%${code}%`)}) AS hit
      ${dialect.joinInOrder} source_row ON source_row.release_id = hit.id
      ORDER BY source_row.release_id LIMIT 5000`.execute(db);
    const ids = rows.filter((row) => partsOf(row.serial).includes(code)).map((row) => row.id);
    pointers.set(codeKey(code), new Set(ids.slice(0, maxPerKey)));
  }
  return pointers;
}

function partsOf(serial: string): string[] {
  return serial.toUpperCase().split(/[^A-Z0-9]+/);
}
