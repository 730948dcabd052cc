import { sql } from 'kysely';
import type { Database } from '../engine.ts';
import { SqlError } from './errors.ts';

/** Reads every row of every table whole, by which the server finds pages that are damaged: what it says of the first. */
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
      // Its text: a count would not look into the rows, nor at what of them lies elsewhere.
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
