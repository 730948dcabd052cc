/** Empty: SQLite's indexes take texts of any length. Those of PostgreSQL hold only their start. */
export const textStarts = { name: '0032-text-starts', statements: [] };
