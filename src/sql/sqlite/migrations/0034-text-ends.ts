/**
 * Creates indexes on the last two characters of names and search texts. A search for one or two
 * characters needs these indexes, because no trigram begins at the last two characters
 * (`short-texts.ts`).
 */
export const textEnds = {
  name: '0034-text-ends',
  statements: [
    `CREATE INDEX release_name_end ON release
      (lower(substr(name, -1)), lower(substr(name, -2, 1)))`,
    `CREATE INDEX release_text_end ON release_text
      (lower(substr(text, -1)), lower(substr(text, -2, 1)))`,
  ],
};
