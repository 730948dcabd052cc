import { openDatabase, openDatabaseReadOnly } from '../engine/open.ts';

/** The first schema version whose databases record files in an object store. */
const firstVersion = 29;

const tables = [
  'stored_object',
  'object_area',
  'object_upload',
  'object_piece',
  'orphan_object',
] as const;

/**
 * Deletes all records of files in an object store from a database that no server uses. A database
 * without such records stays unchanged. Returns the number of archives whose records were deleted.
 */
export async function forgetObjects(file: string): Promise<number> {
  if (!(await hasObjectRecords(file))) return 0;
  const engine = await openDatabase(file, { readers: 1 });
  try {
    return await engine.write(async (trx) => {
      const { archives } = await trx
        .selectFrom('stored_object')
        .select((select) => select.fn.countAll<number>().as('archives'))
        .where('area', '!=', 'covers')
        .executeTakeFirstOrThrow();
      for (const table of tables) await trx.deleteFrom(table).execute();
      return archives;
    });
  } finally {
    await engine.close();
  }
}

async function hasObjectRecords(file: string): Promise<boolean> {
  const database = await openDatabaseReadOnly(file);
  try {
    if ((database.version ?? 0) < firstVersion) return false;
    const row = await database.read
      .selectFrom('object_area')
      .select('area')
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  } finally {
    await database.close();
  }
}
