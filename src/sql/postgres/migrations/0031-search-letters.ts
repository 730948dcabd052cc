/**
 * Punctuation that names have, by what stands for it in the index of texts: rare letters, and two of them where the punctuation that
 * these are for hardly stands so. Of ASCII, because `pg_trgm` takes longer for any other letter, and its index grows more.
 */
const letters: Readonly<Record<string, string>> = {
  ' ': 'q',
  '(': 'z',
  ')': 'x',
  '-': 'j',
  ',': 'jj',
  '.': 'zz',
  "'": 'zj',
  '!': 'zx',
  '&': 'zq',
  '+': 'xx',
  '#': 'jz',
  _: 'jx',
  '[': 'xz',
  ']': 'xj',
};

/**
 * A text as the index holds it: its ASCII letters are small, its punctuation is letters. `pg_trgm` knows trigrams of letters and
 * digits only, within words: so it knows those of the whole text. Several texts may become one: what the index
 * gives for a text may hold another.
 */
export function searchLetters(value: string): string {
  const small = value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return small.replace(/[^a-z0-9]/g, (character) => letters[character] ?? character);
}

/** Whether the index knows all characters of a text. */
export const isOfSearchLetters = (value: string) => /^[\p{L}\p{N}]*$/u.test(searchLetters(value));

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;
// One after the other takes half as long as translate(), which compares each character with each of these.
const mapped = Object.entries(letters).reduce(
  (inner, [character, letter]) => `replace(${inner}, ${quoted(character)}, ${quoted(letter)})`,
  'lower(value COLLATE "C")',
);

/** The indexes of trigrams know punctuation and spaces. */
export const searchLettersIndexes = {
  version: 31,
  name: '0031-search-letters',
  statements: [
    `CREATE FUNCTION search_letters(value text) RETURNS text
      LANGUAGE sql IMMUTABLE PARALLEL SAFE
      RETURN ${mapped}`,
    'DROP INDEX release_name_trigrams',
    'DROP INDEX release_text_trigrams',
    'CREATE INDEX release_name_trigrams ON release USING gin (search_letters(name) gin_trgm_ops)',
    'CREATE INDEX release_text_trigrams ON release_text USING gin (search_letters(text) gin_trgm_ops)',
    // What the planner knows of an expression comes with its index, and only when somebody looks.
    `DO $$ BEGIN IF EXISTS (SELECT FROM release) THEN ANALYZE release; ANALYZE release_text; END IF; END $$`,
  ],
};
