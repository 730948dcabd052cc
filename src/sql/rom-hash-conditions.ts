import { type Expression, type SqlBool, sql } from 'kysely';

const columns = new Map([
  [8, 'crc32'],
  [32, 'md5'],
  [40, 'sha1'],
]);

/**
 * Returns how to find releases by a word that may be the lower-case CRC-32, MD5 or SHA-1 of a ROM.
 * `hits` is a query of their ids, `condition` the condition on `release`. Returns null for a word
 * that is not a hash.
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
 * A stored CRC-32 is followed by a colon and the size; a semicolon is the character after the
 * colon.
 */
function hitsOf(word: string): Expression<unknown> {
  return word.length === 8
    ? sql`SELECT release_id AS id FROM rom_hash WHERE hash > ${`${word}:`} AND hash < ${`${word};`}`
    : sql`SELECT release_id AS id FROM rom_hash WHERE hash = ${word}`;
}
