/**
 * Words of SQLite and its driver, and SQL that only SQLite accepts or interprets differently.
 * Comments are checked as well. A note about one engine does not belong next to SQL that every
 * engine runs.
 */
const words: readonly RegExp[] = [
  /sqlite/i,
  /rowid/i,
  /\bjson_(array|each|extract|group_\w+|object|quote|remove|replace|set|tree|type)\b/i,
  /->>/,
  /\b(group_concat|ifnull|iif|instr|julianday|likely|strftime|unixepoch|unlikely) ?\(/i,
  /\bGLOB\b/,
  /\bIS NOT (?!(NULL|DISTINCT)\b)/,
  /\bPRAGMA\b/i,
  /\b(INSERT|UPDATE) OR (ABORT|FAIL|IGNORE|REPLACE|ROLLBACK)\b/i,
  /\bREPLACE INTO\b/i,
  /\bTEMP(ORARY)? (TABLES?|VIEW|TRIGGER)\b/i,
  /\btemp\.\w+/,
  /\bLIMIT -1\b/i,
  /\bfts\d\b/i,
  /\b(AUTOINCREMENT|INDEXED BY)\b/i,
  /\bCROSS JOIN\b/i,
];

/** The only file that chooses an engine. Its imports contain the names of the engines' folders. */
const choosing = 'src/sql/engine/open.ts';
const choice = /^import .* from '\.\.\/sqlite\/[\w/-]+\.ts';$/;

/**
 * Returns true if a file of src may mention SQLite. Allowed are SQLite's own files and the files of
 * PostgreSQL, which compare the engines.
 */
export function mayNameSqlite(file: string): boolean {
  return /^src\/sql\/(sqlite|postgres)\//.test(file);
}

/** Returns the lines of a source text that mention SQLite, as `line number: text`. */
export function findSqliteWords(file: string, text: string): string[] {
  if (mayNameSqlite(file)) return [];
  return text.split('\n').flatMap((line, index) => {
    if (file === choosing && choice.test(line)) return [];
    return words.some((word) => word.test(line)) ? [`${index + 1}: ${line.trim()}`] : [];
  });
}
