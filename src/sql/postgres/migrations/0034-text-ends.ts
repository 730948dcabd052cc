/**
 * Contains no statements. In this version, SQLite gets an index to find one or two characters at
 * the end of a text. PostgreSQL reads all texts instead.
 */
export const textEnds = { version: 34, name: '0034-text-ends', statements: [] };
