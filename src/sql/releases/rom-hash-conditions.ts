import { type Expression, type SqlBool, sql } from 'kysely';

const columns = new Map([
  [8, 'crc32'],
  [32, 'md5'],
  [40, 'sha1'],
]);

/**
 * Returns the SQL to find releases by a word that may be the CRC-32, MD5 or SHA-1 of a ROM. The
 * word must be in lower case. `hits` is a query for the ids of these releases; `condition` is a
 * condition on `release`. Returns null if the word is not a hash.
 */
export function hashConditions(
  word: string,
): { hits: Expression<unknown>; condition: Expression<SqlBool> } | null {
  const column = columns.get(word.length);
  if (column === undefined || !/^[0-9a-f]+$/.test(word)) return null;
  return {
    hits: hitsOf(word),
    condition: sql<SqlBool>`EXISTS (
      SELECT 1 FROM rom WHERE rom.release_id = release.id AND ${sql.ref(`rom.${column}`)} = ${word})`,
  };
}

/**
 * Returns the query for the ids of releases with this hash. A CRC-32 is stored as `crc32:size`. All
 * entries of one CRC-32 are therefore between `crc32:` and `crc32;`, because `;` is the next
 * character after `:`.
 */
function hitsOf(word: string): Expression<unknown> {
  return word.length === 8
    ? sql`SELECT release_id AS id FROM rom_hash WHERE hash > ${`${word}:`} AND hash < ${`${word};`}`
    : sql`SELECT release_id AS id FROM rom_hash WHERE hash = ${word}`;
}
