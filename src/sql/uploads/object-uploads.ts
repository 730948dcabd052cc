import { sql } from 'kysely';
import { busy, damagedUpload } from '../../core/shared/errors.ts';
import type {
  ObjectPiece,
  ObjectUpload,
  ObjectUploadRecords,
} from '../../core/shared/files/object-records.ts';
import type { Database, Engine } from '../engine/engine.ts';
import { adopt, orphan, orphanUnlessUsed } from '../store/object-records.ts';

/**
 * Stores the records of chunked uploads whose bytes are in an object store; see
 * `ObjectUploadRecords`.
 */
export class SqlObjectUploadRecords implements ObjectUploadRecords {
  readonly #engine: Engine;

  constructor({ engine }: { engine: Engine }) {
    this.#engine = engine;
  }

  async find(folder: string): Promise<ObjectUpload | null> {
    const row = await this.#engine.read
      .selectFrom('object_upload')
      .selectAll()
      .where('folder', '=', folder)
      .executeTakeFirst();
    if (row === undefined) return null;
    const pieces = await this.#engine.read
      .selectFrom('object_piece')
      .select(['start', 'size', 'key', 'part', 'part_tag as tag'])
      .where('folder', '=', folder)
      .orderBy('start')
      .execute();
    return {
      ...{ folder, key: row.key, partsId: row.parts_id, wholeSize: row.whole_size },
      pieces: pieces as ObjectPiece[],
    };
  }

  begin(folder: string, key: string): Promise<string[]> {
    return this.#engine.write(async (trx) => {
      const keys = await removeUpload(trx, folder);
      await trx.insertInto('object_upload').values({ folder, key }).execute();
      return keys;
    });
  }

  nameParts(folder: string, key: string, partsId: string): Promise<string> {
    return this.#engine.write(async (trx) => {
      const { parts_id } = await trx
        .updateTable('object_upload')
        .set({ parts_id: sql<string>`coalesce(parts_id, ${partsId})` })
        .where('folder', '=', folder)
        .where('key', '=', key)
        .returning('parts_id')
        .executeTakeFirstOrThrow(damagedUpload);
      return parts_id ?? partsId;
    });
  }

  addPiece(folder: string, key: string, piece: ObjectPiece): Promise<string[]> {
    return this.#engine.write(async (trx) => {
      await lockUpload(trx, folder, key);
      const keys = await removePieces(trx, folder, piece.start);
      await insertPiece(trx, folder, piece);
      return keys;
    });
  }

  joinPieces(
    folder: string,
    key: string,
    piece: ObjectPiece,
    joined: readonly string[],
  ): Promise<void> {
    return this.#engine.write(async (trx) => {
      await lockUpload(trx, folder, key);
      const { numDeletedRows } = await trx
        .deleteFrom('object_piece')
        .where('folder', '=', folder)
        .where('key', 'in', sql<string>`${trx.dialect.list(joined)}`)
        .executeTakeFirst();
      if (numDeletedRows !== BigInt(joined.length)) throw busy();
      for (const each of joined) await orphan(trx, each);
      await insertPiece(trx, folder, piece);
    });
  }

  makeWhole(folder: string, key: string, size: number): Promise<string[]> {
    return this.#engine.write(async (trx) => {
      const keys = await removeUpload(trx, folder);
      await adopt(trx, key);
      await trx.insertInto('object_upload').values({ folder, key, whole_size: size }).execute();
      return keys.filter((each) => each !== key);
    });
  }

  remove(folder: string): Promise<string[]> {
    return this.#engine.write((trx) => removeUpload(trx, folder));
  }

  async listFolders(): Promise<string[]> {
    const rows = await this.#engine.read.selectFrom('object_upload').select('folder').execute();
    return rows.map(({ folder }) => folder);
  }
}

/**
 * Locks an upload until the transaction ends, so that only one transaction at a time changes the
 * upload's pieces. Throws damagedUpload() if the upload does not exist or has another key.
 */
async function lockUpload(trx: Database, folder: string, key: string): Promise<void> {
  const upload = await trx
    .selectFrom('object_upload')
    .select('key')
    .where('folder', '=', folder)
    .modifyEnd(trx.dialect.lockRows)
    .executeTakeFirst();
  if (upload?.key !== key) throw damagedUpload();
}

async function insertPiece(trx: Database, folder: string, piece: ObjectPiece): Promise<void> {
  if (piece.key !== null) await adopt(trx, piece.key);
  const { start, size } = piece;
  const place =
    piece.part === null
      ? { key: piece.key, part: null, part_tag: null }
      : { key: null, part: piece.part, part_tag: piece.tag };
  await trx
    .insertInto('object_piece')
    .values({ folder, start, size, ...place })
    .execute();
}

/** Removes the records of an upload. Returns the keys of objects that are now orphans. */
async function removeUpload(trx: Database, folder: string): Promise<string[]> {
  const keys = await removePieces(trx, folder, 0);
  const row = await trx
    .deleteFrom('object_upload')
    .where('folder', '=', folder)
    .returning('key')
    .executeTakeFirst();
  if (row !== undefined && (await orphanUnlessUsed(trx, row.key))) keys.push(row.key);
  return keys;
}

/**
 * Removes the records of the pieces at and after an offset. Returns the keys of objects that are
 * now orphans.
 */
async function removePieces(trx: Database, folder: string, from: number): Promise<string[]> {
  const rows = await trx
    .deleteFrom('object_piece')
    .where('folder', '=', folder)
    .where('start', '>=', from)
    .returning('key')
    .execute();
  const keys = rows.map(({ key }) => key).filter((key) => key !== null);
  for (const key of keys) await orphan(trx, key);
  return keys;
}
