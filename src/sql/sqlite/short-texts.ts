import type Database from 'better-sqlite3';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * A searched column, the column of its ids, and the virtual table that lists the trigrams of its
 * index.
 */
interface Searched {
  readonly table: string;
  readonly column: string;
  readonly id: string;
  readonly terms: string;
}

const searched: Readonly<Record<'name' | 'text', Searched>> = {
  name: { table: 'release', column: 'name', id: 'id', terms: 'release_name_terms' },
  text: { table: 'release_text', column: 'text', id: 'release_id', terms: 'release_search_terms' },
};

/** The highest code point, above every other character. */
const lastCharacter = '\u{10FFFF}';

/**
 * Creates the virtual tables that list the entries of the trigram indexes, for this connection
 * only.
 */
export function addTermTables(database: Database.Database): void {
  for (const [index, { terms }] of [
    ['release_name', searched.name],
    ['release_search', searched.text],
  ] as const) {
    database.exec(`CREATE VIRTUAL TABLE temp.${terms} USING fts5vocab(main, ${index}, instance)`);
  }
}

/**
 * Returns a query for the ids of the releases whose name or search text may contain these one or
 * two characters. It has one column `id`, with each id once. Returns null for a text of another
 * length.
 *
 * A text contains them if one of its trigrams begins with them, or if they are among its last two
 * characters, which migration 0034 indexes. `endsInTime`: see `Dialect`.
 */
export function shortTextHits(
  where: 'name' | 'text',
  text: string,
  endsInTime: (id: RawBuilder<unknown>) => RawBuilder<SqlBool>,
): RawBuilder<unknown> | null {
  const characters = [...text];
  if (characters.length === 0 || characters.length > 2) return null;
  const { table, column, id, terms } = searched[where];
  const begins = spellingsOf(characters).map((start) => {
    return sql`SELECT doc AS id FROM temp.${sql.table(terms)}
      WHERE term >= ${start} AND term <= ${start + lastCharacter} AND ${endsInTime(sql`doc`)}`;
  });
  const [last, secondLast] = endOf(column);
  const from = sql`SELECT ${sql.ref(`${table}.${id}`)} AS id FROM ${sql.table(table)}`;
  const lower = characters.map(lowerAscii);
  const ends =
    lower.length === 2
      ? [sql`${from} WHERE ${last} = ${lower[1]} AND ${secondLast} = ${lower[0]}`]
      : [sql`${from} WHERE ${last} = ${lower[0]}`, secondLastHits(searched[where], lower[0] ?? '')];
  return sql.join([...begins, ...ends], sql` UNION `);
}

/**
 * Finds texts by their second to last character. The index has the last character first, so each
 * existing last character is looked up separately.
 */
function secondLastHits({ table, column, id }: Searched, character: string): RawBuilder<unknown> {
  const [last, secondLast] = endOf(column);
  const from = sql.table(table);
  return sql`SELECT id FROM (
    WITH RECURSIVE ends (last) AS (
      SELECT min(${last}) FROM ${from}
      UNION ALL
      SELECT (SELECT min(${last}) FROM ${from} WHERE ${last} > ends.last) FROM ends
      WHERE ends.last IS NOT NULL)
    SELECT ${sql.ref(`${table}.${id}`)} AS id FROM ends
    CROSS JOIN ${from} ON ${last} = ends.last AND ${secondLast} = ${character})`;
}

/** Returns the last two characters of a text, as the expressions that the index uses. */
function endOf(column: string) {
  return [
    sql`lower(substr(${sql.ref(column)}, -1))`,
    sql`lower(substr(${sql.ref(column)}, -2, 1))`,
  ] as const;
}

/**
 * Returns all ways in which the index may spell these characters. The index folds case by an older
 * Unicode table than JavaScript's, so each case form of a letter is looked up.
 */
function spellingsOf(characters: readonly string[]): string[] {
  return characters.reduce<string[]>(
    (starts, character) =>
      starts.flatMap((start) => casesOf(character).map((form) => start + form)),
    [''],
  );
}

/**
 * Returns the case forms of a character. The index stores one of them for all cases of the
 * character.
 */
export function casesOf(character: string): string[] {
  if (character === '\ufffe' || character === '\uffff') return ['\ufffd'];
  const upper = character.toUpperCase();
  const forms = [character, character.toLowerCase(), upper, upper.toLowerCase()];
  const areAscii = character < '\x80';
  return areAscii
    ? [character.toLowerCase()]
    : [...new Set(forms.filter((form) => [...form].length === 1))];
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
