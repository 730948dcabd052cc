import { text } from './0028/texts.ts';

/**
 * Replacements for punctuation in the text that the index contains. The replacements are capitals,
 * because the text otherwise has only small ASCII letters. The index folds capitals to small
 * letters too, so rare letters are used. Other than ASCII letters would make `pg_trgm` slower and
 * its index larger.
 *
 * No replacement is the start of another replacement or contains the start of one. A match in the
 * replaced text is therefore always a match in the original text.
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
 * Returns the form of a text that the index contains: ASCII letters in lower case, punctuation
 * replaced by capitals. `pg_trgm` finds only trigrams of letters and digits within words. It treats
 * this form of a text as one word.
 *
 * A text matches a pattern if the replaced text matches the replaced pattern, ignoring the case of
 * ASCII letters. The exception is a pattern with `_`.
 */
export function searchLetters(value: string): string {
  const small = value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return small.replace(/[^a-z0-9]/g, (character) => letters[character] ?? character);
}

/**
 * Name of the column that contains the replaced text. In `release`, the text is made from the name.
 * In `release_text`, the text is made from the search text.
 */
export const lettersColumn = 'letters';

/** Returns true if the index can find all characters of a text. */
export const isOfSearchLetters = (value: string) => /^[\p{L}\p{N}]*$/u.test(searchLetters(value));

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;
// Nested calls of replace() are faster than translate(), which compares each character of the text
// with all of `letters`.
const mapped = Object.entries(letters).reduce(
  (inner, [character, letter]) => `replace(${inner}, ${quoted(character)}, ${quoted(letter)})`,
  'lower(value COLLATE "C")',
);

const ofText = (column: string) => `${text} GENERATED ALWAYS AS (search_letters(${column})) STORED`;

/**
 * Rebuilds the trigram indexes, so that they also find punctuation and spaces. The replaced text is
 * stored in a column, because PostgreSQL checks each row that the index finds. Replacing the
 * punctuation again for each check would take longer.
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
    // A new column has no statistics for the planner until ANALYZE runs.
    `DO $$ BEGIN IF EXISTS (SELECT FROM release) THEN ANALYZE release; ANALYZE release_text; END IF; END $$`,
  ],
};
