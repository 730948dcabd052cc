import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { cheatTitles } from '../../../core/shared/names/name-labels.ts';
import type { Database } from '../../engine/engine.ts';
import { plainName, sortName } from '../sort-name.ts';

/**
 * Maximum length of a search text that is compared with the start of titles. An index may store
 * only the first 500 characters of a name.
 */
const maxTitleLength = 400;
/** The highest code point, which sorts after all other characters. */
const lastCharacter = '\u{10FFFF}';

/** The words of a search, in the form in which they are compared with `sort_name`. */
export interface RankedTitle {
  readonly text: string;
  readonly words: readonly string[];
  /** True if every name that begins with the text contains all words of the search. */
  readonly impliesMatch: boolean;
}

/** Converts a search text to the form that is compared with titles. */
export function rankedTitle(search: string): RankedTitle {
  const written = plainName(search.normalize('NFC').trim().split(/\s+/).join(' '));
  const text = sortName(written) || written;
  return { text, words: text.split(' '), impliesMatch: text === written };
}

/**
 * A range of `sort_name`. It begins at the searched title followed by `from`, and ends before the
 * searched title followed by `to`.
 */
export interface TitleRange {
  readonly tier: number;
  readonly from: string;
  readonly to: string;
}

/**
 * The ranges of names that begin with the title, by tier. Tier 1: the whole title is equal. Tier 2:
 * a word ends after the searched title. Tier 3: the last word continues.
 */
const ranges: readonly TitleRange[] = [
  { tier: 1, from: ' (', to: ' )' },
  { tier: 2, from: '\u0001', to: ' (' },
  { tier: 2, from: ' )', to: '0' },
  { tier: 2, from: ':', to: 'a' },
  { tier: 2, from: '{', to: '\u0080' },
  { tier: 3, from: '0', to: ':' },
  { tier: 3, from: 'a', to: '{' },
  { tier: 3, from: '\u0080', to: lastCharacter },
];

/** The column in which the titles are compared, of rows with the alias `release`. */
const ofRelease = sql.ref<string>('release.sort_name');

/**
 * Returns the conditions for the names that begin with a title, in the order of their tiers. An
 * index answers each condition. Returns an empty array for a text that is too long for an index.
 */
export function titleConditions(
  { dialect }: Database,
  { text }: RankedTitle,
): { readonly tier: number; readonly condition: RawBuilder<SqlBool> }[] {
  if (text.length > maxTitleLength) return [];
  const stored = (value: RawBuilder<unknown>) => dialect.textStart(value) ?? value;
  const name = stored(ofRelease);
  const value = (end: string) => stored(sql`${text + end}`);
  const equal = sql<SqlBool>`${name} = ${value('')}`;
  return [
    { tier: 1, condition: equal },
    ...ranges.map(({ tier, from, to }) => {
      const condition = sql<SqlBool>`(${name} >= ${value(from)} AND ${name} < ${value(to)})`;
      return { tier, condition };
    }),
  ];
}

/** Returns the tier of a match. The row has the columns `sort_name` and `title` (`titleOf`). */
export function tierOf({ dialect }: Database, { text, words }: RankedTitle): RawBuilder<number> {
  const { length } = [...text];
  const start = (characters: number) => sql`substr(sort_name, 1, ${characters})`;
  const next = sql`substr(sort_name, ${length + 1}, 1)`;
  const inOrder = `%${words.map(escapePattern).join('%')}%`;
  const contained = words.map((word) => dialect.contains(sql.ref('title'), word));
  return sql`CASE
    WHEN sort_name = ${text} OR ${start(length + 2)} = ${`${text} (`} THEN 1
    WHEN ${start(length)} = ${text} THEN
      CASE WHEN ${next} >= '0' AND ${next} < ':' OR ${next} >= 'a' AND ${next} < '{'
        OR ${next} >= ${'\u0080'} THEN 3 ELSE 2 END
    WHEN title LIKE ${inOrder} ESCAPE '\\' THEN 4
    WHEN ${sql.join(contained, sql` AND `)} THEN 5
    ELSE 6 END`;
}

/**
 * Returns the condition that a release is a disc with cheats. Such releases come after other
 * releases that match equally well. The row has the column `sort_name`.
 */
export function isCheatDisc({ dialect }: Database): RawBuilder<SqlBool> {
  const named = cheatTitles.map((text) => dialect.contains(sql.ref('sort_name'), text));
  return sql`(${sql.join(named, sql` OR `)})`;
}

/** Returns the part of the column `sort_name` before its first parenthesis. */
export function titleOf({ dialect }: Database): RawBuilder<string> {
  const end = dialect.position(sql.ref('sort_name'), ' (');
  return sql`CASE WHEN ${end} > 1 THEN substr(sort_name, 1, ${end} - 1) ELSE sort_name END`;
}

function escapePattern(word: string): string {
  return word.replace(/[\\%_]/g, (character) => `\\${character}`);
}
