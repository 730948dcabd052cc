import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { lowerAscii } from '../../core/shared/text.ts';
import { type SearchedColumn, searchedColumns } from './searched-columns.ts';

/** The highest code point, which sorts after all other characters. */
const lastCharacter = '\u{10FFFF}';

/**
 * Returns a query with one distinct column `id`: the ids of the releases whose name or search text
 * may contain these one or two characters. Returns null for a text of any other length.
 *
 * The query finds a text in one of two ways: by a trigram that begins with the characters, or by
 * the last two characters of the text. Migration 0034 indexes the last two characters. For
 * `interruptionPoint` see `Dialect`.
 */
export function shortTextHits(
  where: 'name' | 'text',
  text: string,
  interruptionPoint: (id: RawBuilder<unknown>) => RawBuilder<SqlBool>,
): RawBuilder<unknown> | null {
  const characters = [...text];
  if (characters.length === 0 || characters.length > 2) return null;
  const { table, column, id, terms } = searchedColumns[where];
  const begins = spellingsOf(characters).map((start) => {
    return sql`SELECT doc AS id FROM temp.${sql.table(terms)}
      WHERE term >= ${start} AND term <= ${start + lastCharacter} AND ${interruptionPoint(sql`doc`)}`;
  });
  const [last, secondLast] = endOf(column);
  const from = sql`SELECT ${sql.ref(`${table}.${id}`)} AS id FROM ${sql.table(table)}`;
  const lower = characters.map(lowerAscii);
  const ends =
    lower.length === 2
      ? [sql`${from} WHERE ${last} = ${lower[1]} AND ${secondLast} = ${lower[0]}`]
      : [
          sql`${from} WHERE ${last} = ${lower[0]}`,
          secondLastHits(searchedColumns[where], lower[0] ?? ''),
        ];
  return sql.join([...begins, ...ends], sql` UNION `);
}

/**
 * Returns a query for the texts with this second to last character. The index is sorted by the last
 * character first. The query therefore looks up each last character that exists.
 */
function secondLastHits(
  { table, column, id }: SearchedColumn,
  character: string,
): RawBuilder<unknown> {
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

/**
 * Returns the expressions for the last and the second to last character of a text. The index uses
 * the same expressions.
 */
function endOf(column: string) {
  return [
    sql`lower(substr(${sql.ref(column)}, -1))`,
    sql`lower(substr(${sql.ref(column)}, -2, 1))`,
  ] as const;
}

/**
 * Returns all spellings of these characters that the index may contain. All case forms of a letter
 * are included, because the index folds case by an older Unicode table than JavaScript.
 */
function spellingsOf(characters: readonly string[]): string[] {
  return characters.reduce<string[]>(
    (starts, character) =>
      starts.flatMap((start) => casesOf(character).map((form) => start + form)),
    [''],
  );
}

/**
 * Returns the case forms of a character. The index contains only one of these forms. The Unicode
 * table of the index determines which one.
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
