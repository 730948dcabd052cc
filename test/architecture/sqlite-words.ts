/**
 * Words of SQLite and of its driver, and SQL that only SQLite takes or takes in another sense. Comments count: what is
 * said of one engine does not belong beside SQL that every engine runs.
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

/** The one file that chooses an engine: its imports name the folders of the engines. */
const choosing = 'src/sql/open.ts';
const choice = /^import .* from '\.\/sqlite\/[\w-]+\.ts';$/;

/** Whether SQLite may be named in a file of src: its own, and those of an engine that is compared with it. */
export function mayNameSqlite(file: string): boolean {
  return /^src\/sql\/(sqlite|postgres)\//.test(file);
}

/** The lines of a source text that know SQLite, as `line number: text`. */
export function findSqliteWords(file: string, text: string): string[] {
  if (mayNameSqlite(file)) return [];
  return text.split('\n').flatMap((line, index) => {
    if (file === choosing && choice.test(line)) return [];
    return words.some((word) => word.test(line)) ? [`${index + 1}: ${line.trim()}`] : [];
  });
}
