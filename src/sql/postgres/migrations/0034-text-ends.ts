/**
 * Contains no statements. SQLite gets an index here for texts of one or two characters at the end
 * of a name; PostgreSQL reads all texts instead.
 */
export const textEnds = { version: 34, name: '0034-text-ends', statements: [] };
