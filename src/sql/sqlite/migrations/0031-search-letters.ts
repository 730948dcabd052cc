/**
 * Contains no statements. SQLite's trigram index covers all characters. Only PostgreSQL's index
 * needs a change.
 */
export const searchLetters = { name: '0031-search-letters', statements: [] };
