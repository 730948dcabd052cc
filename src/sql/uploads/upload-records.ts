import type { Insertable, Selectable } from 'kysely';
import type { Clock } from '../../core/shared/clock.ts';
import { tooManyUploads } from '../../core/shared/errors.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import type {
  AfterChunk,
  NewUpload,
  UploadFilter,
  UploadOutcome,
  UploadRecords,
} from '../../core/uploads/ports.ts';
import type { Chunk, Upload } from '../../core/uploads/upload.ts';
import { type Author, precheckRight, writeAs } from '../accounts/write-as.ts';
import { actorJson, recordAudit } from '../audit/audit.ts';
import type { Database, Engine } from '../engine/engine.ts';
import type { Tables } from '../tables.ts';

/** Stores uploads and their chunks. Beginning and removing an upload adds an audit entry. */
export class SqlUploadRecords implements UploadRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  create(upload: NewUpload, owner: string | null, maxOpen: number): Promise<Upload> {
    const { actor, system, folder, filename, size, state, expiresAt, replaces, metadata } = upload;
    const values = {
      user_id: actor.userId,
      actor: actorJson(actor),
      ...{ system, folder, filename, size, replaces, metadata, state, owner },
      expires_at: expiresAt,
    };
    const at = this.#clock.timestamp();
    return writeAs(this.#engine, { actor, at }, async (trx, author) => {
      if ((await countOpen(trx, actor.userId)) >= maxOpen) throw tooManyUploads();
      const row = await trx
        .insertInto('upload')
        .values(values)
        .returningAll()
        .executeTakeFirstOrThrow();
      await recordUpload(trx, at, author, 'upload.begin', toUpload(row));
      return toUpload(row);
    });
  }

  async find(id: number): Promise<Upload | null> {
    const row = await this.#engine.read
      .selectFrom('upload')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row === undefined ? null : toUpload(row);
  }

  async list({ userId, state, now, page }: UploadFilter): Promise<Upload[]> {
    let query = this.#engine.read
      .selectFrom('upload')
      .selectAll()
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
      .orderBy('id', 'desc');
    if (userId !== null) query = query.where('user_id', '=', userId);
    if (state !== undefined) query = query.where('state', '=', state);
    if (page !== undefined) query = query.limit(page.limit).offset(page.offset);
    return (await query.execute()).map(toUpload);
  }

  listChunks(id: number): Promise<Chunk[]> {
    return this.#engine.read
      .selectFrom('upload_chunk')
      .select(['size', 'sha256'])
      .where('upload_id', '=', id)
      .orderBy('start')
      .execute();
  }

  async checkRight(actor: Actor): Promise<void> {
    await precheckRight(this.#engine.read, actor, this.#clock.timestamp());
  }

  addChunk(
    id: number,
    offset: number,
    chunk: Chunk,
    { after, actor }: { after: AfterChunk; actor: Actor },
  ): Promise<boolean> {
    const { state, owner, expiresAt } = after;
    const at = this.#clock.timestamp();
    const values = { received: offset + chunk.size, state, owner, expires_at: expiresAt };
    return writeAs(this.#engine, { actor, at }, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('upload')
        .set(values)
        .where('id', '=', id)
        .where('state', '=', 'receiving')
        .where('received', '=', offset)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      await trx
        .insertInto('upload_chunk')
        .values({ upload_id: id, start: offset, ...chunk })
        .execute();
      return true;
    });
  }

  async recordSha256(id: number, sha256: string): Promise<void> {
    await this.#set(id, { sha256 });
  }

  finish(id: number, owner: string, { state, detail, expiresAt }: UploadOutcome): Promise<boolean> {
    return this.#engine.write(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('upload')
        .set({ state, detail, owner: null, expires_at: expiresAt })
        .where('id', '=', id)
        .where('state', '=', 'checking')
        .where('owner', '=', owner)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
  }

  async setExpiry(id: number, expiresAt: string): Promise<void> {
    await this.#set(id, { expires_at: expiresAt });
  }

  async remove(id: number, actor: Actor): Promise<void> {
    const at = this.#clock.timestamp();
    await writeAs(this.#engine, { actor, at }, async (trx, author) => {
      const row = await trx
        .deleteFrom('upload')
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return;
      await recordUpload(trx, at, author, 'upload.remove', toUpload(row));
    });
  }

  async listExpired(now: string): Promise<Upload[]> {
    const rows = await this.#engine.read
      .selectFrom('upload')
      .selectAll()
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .execute();
    return rows.map(toUpload);
  }

  async listChecked(): Promise<{ upload: Upload; owner: string }[]> {
    const rows = await this.#engine.read
      .selectFrom('upload')
      .selectAll()
      .where('state', '=', 'checking')
      .orderBy('id')
      .execute();
    return rows.map((row) => ({ upload: toUpload(row), owner: row.owner ?? '' }));
  }

  takeOverCheck(id: number, from: string, to: string): Promise<boolean> {
    return this.#engine.write(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('upload')
        .set({ owner: to })
        .where('id', '=', id)
        .where('state', '=', 'checking')
        .where('owner', '=', from)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
  }

  async listFolders(): Promise<ReadonlySet<string>> {
    const rows = await this.#engine.read.selectFrom('upload').select('folder').execute();
    return new Set(rows.map(({ folder }) => folder));
  }

  async #set(id: number, values: Partial<Insertable<Tables['upload']>>): Promise<void> {
    await this.#engine.write(async (trx) => {
      await trx.updateTable('upload').set(values).where('id', '=', id).execute();
    });
  }
}

async function recordUpload(
  trx: Database,
  at: string,
  author: Author,
  action: 'upload.begin' | 'upload.remove',
  { id, system, filename, size }: Upload,
): Promise<void> {
  await recordAudit(trx, at, author, action, `upload/${id}`, { system, filename, size });
}

async function countOpen(trx: Database, userId: number): Promise<number> {
  const { open } = await trx
    .selectFrom('upload')
    .select((select) => select.fn.countAll<number>().as('open'))
    .where('user_id', '=', userId)
    .where('state', 'in', ['receiving', 'checking'])
    .executeTakeFirstOrThrow();
  return open;
}

function toUpload(row: Selectable<Tables['upload']>): Upload {
  const { id, system, folder, filename, size, received, state, detail, replaces } = row;
  return {
    ...{ id, system, folder, filename, size, state, detail, replaces },
    offset: received,
    expiresAt: row.expires_at,
    metadata: row.metadata,
    sha256: row.sha256,
    actor: JSON.parse(row.actor),
  };
}
