/** Empty: SQLite's trigram index knows every character. PostgreSQL's index needs this migration. */
export const searchLetters = { name: '0031-search-letters', statements: [] };
