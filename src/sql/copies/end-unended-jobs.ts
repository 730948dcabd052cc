import { openDatabase, openDatabaseReadOnly } from '../engine/open.ts';

/** The first schema version whose jobs continue after a restart. */
const firstVersion = 35;

const report = JSON.stringify({
  error: 'the catalogue was restored from a backup that was written before the job ended',
});

/**
 * Ends the jobs of a restored database that had not ended when its backup was written. Otherwise a
 * restored catalogue would resume old work, such as the backup itself. No server may use the
 * database. A database without such jobs, or of an earlier version, stays unchanged.
 */
export async function endUnendedJobs(file: string): Promise<void> {
  if (!(await hasUnended(file))) return;
  const engine = await openDatabase(file, { readers: 1 });
  try {
    const finished_at = new Date().toISOString();
    await engine.write((trx) =>
      trx
        .updateTable('job')
        .set({ state: 'interrupted', finished_at, due_at: null, report })
        .where('state', 'in', ['queued', 'running'])
        .execute(),
    );
  } finally {
    await engine.close();
  }
}

async function hasUnended(file: string): Promise<boolean> {
  const database = await openDatabaseReadOnly(file);
  try {
    if ((database.version ?? 0) < firstVersion) return false;
    const row = await database.read
      .selectFrom('job')
      .select('id')
      .where('state', 'in', ['queued', 'running'])
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  } finally {
    await database.close();
  }
}
