import { sql } from 'kysely';
import { type BackupPart, backupParts } from '../../core/backups/backup-parts.ts';
import type { Database, Engine } from '../engine/engine.ts';
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
 * Time, in milliseconds, for which a restore protects objects that the restored database would
 * delete. A later state of the catalogue, which is not in the backup, may use these objects.
 */
const graceMs = 7 * 24 * 60 * 60_000;
const rowsAtOnce = 1_000;

/** A file of an area, and the object that contains its bytes. */
export interface RecordedObject {
  readonly part: BackupPart;
  readonly name: string;
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

/** All objects that a database records. */
export interface RecordedObjects {
  readonly files: readonly RecordedObject[];
  /** Keys of orphans and of unfinished uploads. */
  readonly others: readonly string[];
}

/**
 * Deletes all records of files in an object store from a database that no server uses. A database
 * without such records stays unchanged. Returns the archives whose records were deleted.
 */
export async function forgetObjects(file: string): Promise<RecordedObject[]> {
  return withObjects(file, [], (engine) =>
    engine.write(async (trx) => {
      const { files } = await recordedObjects(trx);
      for (const table of tables) await trx.deleteFrom(table).execute();
      return files.filter(({ part }) => part !== 'covers');
    }),
  );
}

/**
 * Adapts the records of a database that no server uses to the objects that exist. `find` returns
 * the keys of the existing objects. Deletes the records of files whose objects are missing. Unless
 * `keepsUploads` is set, the objects of unfinished uploads become orphans. No sweep deletes any
 * orphan within the next seven days. Returns the files whose objects exist, and the files whose
 * objects are missing.
 */
export async function attachObjects(
  file: string,
  { keepsUploads }: { readonly keepsUploads: boolean },
  find: (recorded: RecordedObjects) => Promise<ReadonlySet<string>>,
): Promise<{ attached: RecordedObject[]; missing: RecordedObject[] }> {
  return withObjects(file, { attached: [], missing: [] }, async (engine) => {
    const recorded = await recordedObjects(engine.read);
    const there = await find(recorded);
    const missing = recorded.files.filter(({ key }) => !there.has(key));
    await engine.write(async (trx) => {
      await dropFiles(trx, missing);
      if (!keepsUploads) await orphanUploads(trx);
      const since = sql<number>`${trx.dialect.now} + ${graceMs}`;
      await trx.updateTable('orphan_object').set({ since, is_going: false }).execute();
    });
    return { attached: recorded.files.filter(({ key }) => there.has(key)), missing };
  });
}

async function dropFiles(trx: Database, files: readonly RecordedObject[]): Promise<void> {
  for (let start = 0; start < files.length; start += rowsAtOnce) {
    const keys = files.slice(start, start + rowsAtOnce).map(({ key }) => key);
    await trx
      .deleteFrom('stored_object')
      .where('key', 'in', sql<string>`${trx.dialect.list(keys)}`)
      .execute();
  }
}

async function orphanUploads(trx: Database): Promise<void> {
  for (const table of ['object_upload', 'object_piece'] as const) {
    const rows = await trx.selectFrom(table).select('key').where('key', 'is not', null).execute();
    for (const { key } of rows) {
      await trx
        .insertInto('orphan_object')
        .values({ key: key ?? '', since: trx.dialect.now, is_going: false })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute();
    }
    await trx.deleteFrom(table).execute();
  }
}

async function recordedObjects(read: Database): Promise<RecordedObjects> {
  const files: RecordedObject[] = [];
  for (const part of backupParts) {
    for (let after = ''; ; ) {
      const rows = await read
        .selectFrom('stored_object')
        .select(['name', 'key', 'size'])
        .where('area', '=', part)
        .where('name', '>', after)
        .orderBy('name')
        .limit(rowsAtOnce)
        .execute();
      for (const row of rows) files.push({ part, ...row });
      after = rows.at(-1)?.name ?? '';
      if (rows.length < rowsAtOnce) break;
    }
  }
  const others: string[] = [];
  for (const table of ['orphan_object', 'object_upload', 'object_piece'] as const) {
    const keys = await read.selectFrom(table).select('key').execute();
    for (const { key } of keys) if (key !== null) others.push(key);
  }
  return { files, others };
}

/** Runs `work` on a database that records objects. Returns `none` for any other database. */
async function withObjects<R>(
  file: string,
  none: R,
  work: (engine: Engine) => Promise<R>,
): Promise<R> {
  if (!(await hasObjects(file))) return none;
  const engine = await openDatabase(file, { readers: 1 });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

async function hasObjects(file: string): Promise<boolean> {
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
