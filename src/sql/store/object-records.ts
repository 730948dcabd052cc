import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { damagedUpload } from '../../core/shared/errors.ts';
import type { ObjectRecords, StoredObject } from '../../core/shared/files/object-records.ts';
import { settableTime } from '../../core/shared/settable-time.ts';
import type { Database, Engine } from '../engine/engine.ts';
import type { Tables } from '../tables.ts';

/** Stores the records of files in an object store; see `ObjectRecords`. */
export class SqlObjectRecords implements ObjectRecords {
  readonly #engine: Engine;

  constructor({ engine }: { engine: Engine }) {
    this.#engine = engine;
  }

  /**
   * Returns where the recorded files are stored, or null if no files are recorded. After a restore
   * into an object store, `stored_file` may list archives that were not restored. Such archives are
   * not in a folder, so the result is null.
   */
  async placeOfFiles(): Promise<'objects' | 'folder' | null> {
    if (await this.#hasRow('stored_object')) return 'objects';
    if (!(await this.#hasRow('stored_file'))) return null;
    return (await this.#hasRow('object_area')) ? null : 'folder';
  }

  async #hasRow(table: 'stored_object' | 'stored_file' | 'object_area'): Promise<boolean> {
    const { read } = this.#engine;
    const row = await read.selectFrom(table).select('area').limit(1).executeTakeFirst();
    return row !== undefined;
  }

  async find(area: string, name: string): Promise<StoredObject | null> {
    const row = await this.#engine.read
      .selectFrom('stored_object')
      .selectAll()
      .where('area', '=', area)
      .where('name', '=', name)
      .executeTakeFirst();
    return row === undefined ? null : toObject(row);
  }

  async findAll(area: string, names: readonly string[]): Promise<StoredObject[]> {
    const { read } = this.#engine;
    const rows = await read
      .selectFrom('stored_object')
      .selectAll()
      .where('area', '=', area)
      .where('name', 'in', sql<string>`${read.dialect.list(names)}`)
      .execute();
    return rows.map(toObject);
  }

  async list(area: string, after: string | null, limit: number): Promise<StoredObject[]> {
    let query = this.#engine.read
      .selectFrom('stored_object')
      .selectAll()
      .where('area', '=', area)
      .orderBy('name')
      .limit(limit);
    if (after !== null) query = query.where('name', '>', after);
    return (await query.execute()).map(toObject);
  }

  async count(area: string): Promise<number> {
    const { count } = await this.#engine.read
      .selectFrom('stored_object')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('area', '=', area)
      .executeTakeFirstOrThrow();
    return count;
  }

  async revision(area: string): Promise<number | null> {
    const row = await this.#engine.read
      .selectFrom('object_area')
      .select('revision')
      .where('area', '=', area)
      .executeTakeFirst();
    return row?.revision ?? null;
  }

  async recordOrphan(key: string): Promise<void> {
    await this.#engine.write((trx) => orphan(trx, key));
  }

  publish(area: string, file: StoredObject, folder?: string): Promise<StoredObject> {
    return this.#engine.write(async (trx) => {
      await incrementAreaRevision(trx, area);
      const former = await rowOf(trx, area, file.name);
      if (folder !== undefined) {
        const { numDeletedRows } = await trx
          .deleteFrom('object_upload')
          .where('folder', '=', folder)
          .where('key', '=', file.key)
          .executeTakeFirst();
        // The upload was removed together with its object, or another request published the upload.
        if (numDeletedRows === 0n) throw damagedUpload();
        await orphan(trx, file.key); // the call of `adopt` below removes this orphan
      }
      await adopt(trx, file.key);
      const earliest = former === undefined ? 0n : settableTime(BigInt(former.mtime_ns) + 1000n);
      const mtimeNs = file.mtimeNs > earliest ? file.mtimeNs : earliest;
      await setRow(trx, area, { ...file, mtimeNs });
      if (former !== undefined) await orphanUnlessUsed(trx, former.key);
      return { ...file, mtimeNs };
    });
  }

  attach(area: string, file: StoredObject): Promise<boolean> {
    return this.#engine.write(async (trx) => {
      await incrementAreaRevision(trx, area);
      const isTaken = (await rowOf(trx, area, file.name)) !== undefined;
      if (isTaken || (await isUsed(trx, file.key))) return false;
      const orphaned = trx.deleteFrom('orphan_object').where('key', '=', file.key);
      await orphaned.where('is_going', '=', false).execute();
      const going = trx.selectFrom('orphan_object').select('key').where('key', '=', file.key);
      if ((await going.executeTakeFirst()) !== undefined) return false;
      await setRow(trx, area, file);
      return true;
    });
  }

  async detach(area: string, name: string, key: string): Promise<void> {
    await this.#engine.write(async (trx) => {
      await lockArea(trx, area);
      if ((await rowOf(trx, area, name))?.key !== key) return;
      await incrementAreaRevision(trx, area);
      await deleteRow(trx, area, name);
    });
  }

  async restore(area: string, name: string, file: StoredObject | null): Promise<void> {
    await this.#engine.write(async (trx) => {
      await lockArea(trx, area);
      const now = await rowOf(trx, area, name);
      if (now?.key === file?.key) return;
      await incrementAreaRevision(trx, area);
      if (file === null) await deleteRow(trx, area, name);
      else {
        await adopt(trx, file.key);
        await setRow(trx, area, file);
      }
      if (now !== undefined) await orphanUnlessUsed(trx, now.key);
    });
  }

  remove(area: string, name: string): Promise<boolean> {
    return this.#engine.write(async (trx) => {
      await lockArea(trx, area);
      const row = await rowOf(trx, area, name);
      if (row === undefined) return false;
      await incrementAreaRevision(trx, area);
      await deleteRow(trx, area, name);
      await orphanUnlessUsed(trx, row.key);
      return true;
    });
  }

  claim(key: string): Promise<boolean> {
    return this.#engine.write(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('orphan_object')
        .set({ is_going: true })
        .where('key', '=', key)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
  }

  claimOld(ageMs: number, limit: number): Promise<string[]> {
    return this.#engine.write(async (trx) => {
      const rows = await trx
        .selectFrom('orphan_object')
        .select('key')
        .where('since', '<=', sql<number>`${trx.dialect.now} - ${ageMs}`)
        .orderBy('since')
        .limit(limit)
        .modifyEnd(trx.dialect.lockRows)
        .execute();
      const keys = rows.map(({ key }) => key);
      await trx
        .updateTable('orphan_object')
        .set({ is_going: true })
        .where('key', 'in', sql<string>`${trx.dialect.list(keys)}`)
        .execute();
      return keys;
    });
  }

  async forget(key: string): Promise<void> {
    await this.#engine.write(async (trx) => {
      await trx
        .deleteFrom('orphan_object')
        .where('key', '=', key)
        .where('is_going', '=', true)
        .execute();
    });
  }
}

/** Records an object as an orphan. If the object is already an orphan, sets `since` to now. */
export async function orphan(trx: Database, key: string): Promise<void> {
  const since = trx.dialect.now;
  await trx
    .insertInto('orphan_object')
    .values({ key, since, is_going: false })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ since }))
    .execute();
}

/**
 * Records an object as an orphan, unless a file or an upload still uses the object. Returns true if
 * the object is now an orphan.
 */
export async function orphanUnlessUsed(trx: Database, key: string): Promise<boolean> {
  if (await isUsed(trx, key)) return false;
  await orphan(trx, key);
  return true;
}

/** Returns true if an object belongs to a file or to an upload. */
async function isUsed(trx: Database, key: string): Promise<boolean> {
  for (const table of ['stored_object', 'object_upload', 'object_piece'] as const) {
    const user = await trx
      .selectFrom(table)
      .select('key')
      .where('key', '=', key)
      .limit(1)
      .executeTakeFirst();
    if (user !== undefined) return true;
  }
  return false;
}

/**
 * Removes an object from the orphans, because a file or an upload is about to use the object. Does
 * nothing if a file already uses the object. Throws if the object is being deleted or was deleted.
 */
export async function adopt(trx: Database, key: string): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('orphan_object')
    .where('key', '=', key)
    .where('is_going', '=', false)
    .executeTakeFirst();
  if (numDeletedRows > 0n) return;
  const named = await trx
    .selectFrom('stored_object')
    .select('key')
    .where('key', '=', key)
    .limit(1)
    .executeTakeFirst();
  if (named === undefined) throw new Error(`the object ${key} was deleted meanwhile`);
}

/**
 * Locks an area until the transaction ends, so that changes of the area run one at a time. A
 * transaction that changes an area must call this function first, before it locks rows of files. An
 * area has no row before its first file is stored; nothing is locked then.
 */
async function lockArea(trx: Database, area: string): Promise<void> {
  await trx
    .selectFrom('object_area')
    .select('area')
    .where('area', '=', area)
    .modifyEnd(trx.dialect.lockRows)
    .executeTakeFirst();
}

/** Locks an area like `lockArea`, and increments the revision of the area. */
async function incrementAreaRevision(trx: Database, area: string): Promise<void> {
  await trx
    .insertInto('object_area')
    .values({ area, revision: 1 })
    .onConflict((conflict) =>
      conflict.column('area').doUpdateSet({ revision: sql<number>`object_area.revision + 1` }),
    )
    .execute();
}

function rowOf(trx: Database, area: string, name: string) {
  return trx
    .selectFrom('stored_object')
    .selectAll()
    .where('area', '=', area)
    .where('name', '=', name)
    .modifyEnd(trx.dialect.lockRows)
    .executeTakeFirst();
}

async function setRow(trx: Database, area: string, file: StoredObject): Promise<void> {
  const { name, key, size, sha256 } = file;
  const values = { key, size, mtime_ns: file.mtimeNs, sha256 };
  await trx
    .insertInto('stored_object')
    .values({ area, name, ...values })
    .onConflict((conflict) => conflict.columns(['area', 'name']).doUpdateSet(values))
    .execute();
}

async function deleteRow(trx: Database, area: string, name: string): Promise<void> {
  await trx.deleteFrom('stored_object').where('area', '=', area).where('name', '=', name).execute();
}

function toObject(row: Selectable<Tables['stored_object']>): StoredObject {
  const { name, key, size, mtime_ns, sha256 } = row;
  return { name, key, size, mtimeNs: BigInt(mtime_ns), sha256 };
}
