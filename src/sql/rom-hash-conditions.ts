import { type Expression, type SqlBool, sql } from 'kysely';

const columns = new Map([
  [8, 'crc32'],
  [32, 'md5'],
  [40, 'sha1'],
]);

/**
 * How releases are found by a word that may be the CRC-32, MD5 or SHA-1 of a ROM, in lower case: their ids, and the
 * condition on `release`. Null for a word that is none.
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

/** A CRC-32 stands in the table with the size behind a colon; a semicolon is the character after it. */
function hitsOf(word: string): Expression<unknown> {
  return word.length === 8
    ? sql`SELECT release_id AS id FROM rom_hash WHERE hash > ${`${word}:`} AND hash < ${`${word};`}`
    : sql`SELECT release_id AS id FROM rom_hash WHERE hash = ${word}`;
}
