import { sql } from 'kysely';
import type { Database } from '../engine/engine.ts';
import { SqlError } from './errors.ts';

/**
 * Reads all values of all tables, so that the server finds damaged pages. Returns the server's
 * error for the first damaged table, or null if no table is damaged.
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
      // Converts each row to text, which reads all values, including long values stored outside of
      // the row. Counting the rows would not read the values.
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
