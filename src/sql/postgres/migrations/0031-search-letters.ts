import { text } from './0028/texts.ts';

/**
 * Replacements for punctuation that occurs in names, in the text that the index holds. They are
 * capitals, which that text otherwise lacks. The index folds them to small letters, so rare letters
 * are used. They are ASCII, because `pg_trgm` is slower for other letters, and its index grows
 * more.
 *
 * No replacement is the start of another, or contains the start of one. So a part of the replaced
 * text is a part of the text itself.
 */
const letters: Readonly<Record<string, string>> = {
  ' ': 'Q',
  '(': 'Z',
  ')': 'X',
  '-': 'J',
  ',': 'V',
  '.': 'KW',
  "'": 'KF',
  '!': 'KB',
  '&': 'KG',
  '+': 'KP',
  '#': 'KM',
  _: 'KC',
  '[': 'KH',
  ']': 'KY',
};

/**
 * Returns a text as the index holds it: its ASCII letters are small, and its punctuation is
 * replaced by letters. `pg_trgm` only knows trigrams of letters and digits within words; this way
 * it covers the whole text.
 *
 * A text matches a pattern, ignoring the case of ASCII letters, if the replaced text matches the
 * replaced pattern, unless the pattern contains `_`.
 */
export function searchLetters(value: string): string {
  const small = value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return small.replace(/[^a-z0-9]/g, (character) => letters[character] ?? character);
}

/**
 * Name of the column that holds such a text, made from a release's name or from its search text.
 */
export const lettersColumn = 'letters';

/** Whether the index knows all characters of a text. */
export const isOfSearchLetters = (value: string) => /^[\p{L}\p{N}]*$/u.test(searchLetters(value));

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;
// Nested replace() calls are faster than translate(), which compares each character with each of
// these.
const mapped = Object.entries(letters).reduce(
  (inner, [character, letter]) => `replace(${inner}, ${quoted(character)}, ${quoted(letter)})`,
  'lower(value COLLATE "C")',
);

const ofText = (column: string) => `${text} GENERATED ALWAYS AS (search_letters(${column})) STORED`;

/**
 * Rebuilds the trigram indexes so that they cover punctuation and spaces. The indexed text is
 * stored, because each row that `pg_trgm` finds is compared once more, and building its text again
 * would take longer.
 */
export const searchLettersIndexes = {
  version: 31,
  name: '0031-search-letters',
  statements: [
    `CREATE FUNCTION search_letters(value text) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN ${mapped}`,
    'DROP INDEX release_name_trigrams',
    'DROP INDEX release_text_trigrams',
    `ALTER TABLE release ADD COLUMN ${lettersColumn} ${ofText('name')}`,
    `ALTER TABLE release_text ADD COLUMN ${lettersColumn} ${ofText('text')}`,
    `CREATE OR REPLACE VIEW listed_release AS
      SELECT id, platform_id, system, name, region, serial, description, revision, ${lettersColumn} FROM release
      WHERE coalesce(id < (SELECT first_release_id FROM unfinished_import), true)`,
    `CREATE INDEX release_name_trigrams ON release USING gin (${lettersColumn} gin_trgm_ops)`,
    `CREATE INDEX release_text_trigrams ON release_text USING gin (${lettersColumn} gin_trgm_ops)`,
    // The planner has no statistics on a column until ANALYZE runs.
    `DO $$ BEGIN IF EXISTS (SELECT FROM release) THEN ANALYZE release; ANALYZE release_text; END IF; END $$`,
  ],
};
