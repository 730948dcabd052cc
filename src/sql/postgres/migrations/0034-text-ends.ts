/**
 * Empty: SQLite finds one or two characters at the ends of texts by an index; PostgreSQL reads all
 * texts.
 */
export const textEnds = { version: 34, name: '0034-text-ends', statements: [] };
