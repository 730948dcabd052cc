/**
 * Contains no statements. SQLite's indexes contain texts of any length. Only PostgreSQL's indexes
 * need a change.
 */
export const textStarts = { name: '0032-text-starts', statements: [] };
