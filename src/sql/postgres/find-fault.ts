import { sql } from 'kysely';
import type { Database } from '../engine.ts';
import { SqlError } from './errors.ts';

/**
 * Reads every row of every table in full, so that the server finds damaged pages. Returns its error
 * for the first damaged table, or null.
 */
export async function findFault<T>({
  readAtLength: db,
}: {
  readAtLength: Database<T>;
}): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' ORDER BY relname`.execute(
    db,
  );
  for (const { name } of rows) {
    try {
      // Reads the rows as text: a count would read neither their values nor those stored out of
      // line.
      await sql`SELECT max(length(CAST(${sql.table(name)} AS text))) FROM ${sql.table(name)}`.execute(
        db,
      );
    } catch (error) {
      if (error instanceof SqlError) return `${name}: ${error.message}`;
      throw error;
    }
  }
  return null;
}
