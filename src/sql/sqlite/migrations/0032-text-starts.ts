/**
 * Contains no statements. SQLite's indexes contain texts of any length; only those of PostgreSQL
 * need a change.
 */
export const textStarts = { name: '0032-text-starts', statements: [] };
