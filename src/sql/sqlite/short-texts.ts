import type Database from 'better-sqlite3';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** A searched column, the column of its ids, and the virtual table that lists the trigrams of its index. */
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

/** Above every character. */
const lastCharacter = '\u{10FFFF}';

/** Adds what lists the entries of the indexes of trigrams, for this connection alone. */
export function addTermTables(database: Database.Database): void {
  for (const [index, { terms }] of [
    ['release_name', searched.name],
    ['release_search', searched.text],
  ] as const) {
    database.exec(`CREATE VIRTUAL TABLE temp.${terms} USING fts5vocab(main, ${index}, instance)`);
  }
}

/**
 * The ids of the releases whose name, or whose text for search, may hold these one or two characters, each once, in one
 * column `id`; null for a text of another length. A text holds them where a trigram begins with them, or where they are
 * among its last two characters, of which migration 0034 has an index. `endsInTime`: see `Dialect`.
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

/** By the index, which has the last characters first: each of these is asked for in turn. */
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

/** The last two characters of a text, in the words of the index. */
function endOf(column: string) {
  return [
    sql`lower(substr(${sql.ref(column)}, -1))`,
    sql`lower(substr(${sql.ref(column)}, -2, 1))`,
  ] as const;
}

/**
 * All ways in which the index may write these characters: it folds their case by a table of Unicode that is older than ours,
 * so each form of a letter is asked for.
 */
function spellingsOf(characters: readonly string[]): string[] {
  return characters.reduce<string[]>(
    (starts, character) =>
      starts.flatMap((start) => casesOf(character).map((form) => start + form)),
    [''],
  );
}

/** The forms of a character of which the index has one, the same for all of its cases. */
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
