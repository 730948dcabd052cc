import type { CoverOrigin } from '../core/covers/cover-origin.ts';
import type { CoverRecords } from '../core/covers/ports.ts';
import type { Actor } from '../core/shared/actor.ts';
import type { Clock } from '../core/shared/clock.ts';
import type { StoredFile } from '../core/shared/file-area.ts';
import type { StoreRecords } from '../core/store/ports.ts';
import { recordAudit } from './audit.ts';
import type { Database, Engine } from './engine.ts';
import type { NotedWrites } from './noted-writes.ts';

type Upload = { name: string; size: number; sha256: string };

/**
 * What the database keeps of stored files: their checksums, who wrote them, downloads. The bytes are published inside
 * the transaction: a database that cannot be written leaves the old file, and it never says more than the disk holds.
 */
export class SqlFileRecords implements StoreRecords, CoverRecords {
  readonly #engine: Engine;
  readonly #notes: NotedWrites;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; notes: NotedWrites; clock: Clock }) {
    this.#engine = parts.engine;
    this.#notes = parts.notes;
    this.#clock = parts.clock;
  }

  recordUpload(
    upload: Upload & { area: string },
    actor: Actor,
    publish: () => Promise<StoredFile>,
  ): Promise<StoredFile> {
    return this.#engine.write(async (trx) => {
      const target = `store/${upload.area}/${upload.name}`;
      const detail = { size: upload.size, sha256: upload.sha256 };
      await recordAudit(trx, this.#clock.timestamp(), actor, 'archive.upload', target, detail);
      const stored = await publish();
      await this.#recordFile(trx, upload.area, upload, stored);
      return stored;
    });
  }

  recordRemoval(
    removal: { area: string; name: string },
    actor: Actor,
    remove: () => Promise<boolean>,
  ): Promise<boolean> {
    return this.#engine.write(async (trx) => {
      await trx
        .deleteFrom('stored_file')
        .where('area', '=', removal.area)
        .where('name', '=', removal.name)
        .execute();
      const target = `store/${removal.area}/${removal.name}`;
      await recordAudit(trx, this.#clock.timestamp(), actor, 'archive.remove', target);
      return remove();
    });
  }

  noteDownload(event: { userId: number | null; area: string; name: string; bytes: number }): void {
    const values = {
      user_id: event.userId,
      area: event.area,
      name: event.name,
      bytes: event.bytes,
      created_at: this.#clock.timestamp(),
    };
    this.#notes.add(async (trx) => {
      await trx.insertInto('download_event').values(values).execute();
    });
  }

  recordCover(
    cover: Upload & { releaseId: number; origin: CoverOrigin | null },
    actor: Actor,
    publish: () => Promise<StoredFile>,
  ): Promise<StoredFile> {
    return this.#engine.write(async (trx) => {
      await forgetCovers(trx, cover.releaseId);
      const target = `cover/${cover.releaseId}`;
      const { size, sha256, origin } = cover;
      const detail = origin === null ? { size, sha256 } : { size, sha256, from: origin.from };
      const action = `cover.${origin?.kind ?? 'upload'}`;
      await recordAudit(trx, this.#clock.timestamp(), actor, action, target, detail);
      const stored = await publish();
      await this.#recordFile(trx, 'covers', cover, stored);
      if (origin !== null) await recordOrigin(trx, cover, origin);
      return stored;
    });
  }

  recordBundle(
    bundle: Upload,
    actor: Actor,
    publish: () => Promise<StoredFile>,
  ): Promise<StoredFile> {
    return this.#engine.write(async (trx) => {
      const target = `covers/${bundle.name}`;
      const detail = { size: bundle.size, sha256: bundle.sha256 };
      await recordAudit(trx, this.#clock.timestamp(), actor, 'cover.bundle', target, detail);
      const stored = await publish();
      await this.#recordFile(trx, 'covers', bundle, stored);
      return stored;
    });
  }

  async findOrigin(
    releaseId: number,
  ): Promise<(CoverOrigin & { name: string; size: number; mtimeNs: bigint }) | null> {
    const row = await this.#engine.read
      .selectFrom('cover_origin')
      .innerJoin('stored_file', (join) =>
        join.onRef('stored_file.name', '=', 'cover_origin.name').on('area', '=', 'covers'),
      )
      .select(['kind', 'origin', 'stored_file.name', 'size', 'mtime_ns'])
      .where('release_id', '=', releaseId)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { kind, origin, name, size, mtime_ns } = row;
    return { kind, from: origin, name, size, mtimeNs: BigInt(mtime_ns) };
  }

  recordCoverRemoval(
    releaseId: number,
    actor: Actor,
    remove: () => Promise<boolean>,
  ): Promise<boolean> {
    return this.#engine.write(async (trx) => {
      await forgetCovers(trx, releaseId);
      const target = `cover/${releaseId}`;
      await recordAudit(trx, this.#clock.timestamp(), actor, 'cover.remove', target);
      return remove();
    });
  }

  async #recordFile(
    trx: Database,
    area: string,
    { name, size, sha256 }: Upload,
    { mtimeNs }: StoredFile,
  ): Promise<void> {
    const written_at = this.#clock.timestamp();
    const values = { size, mtime_ns: mtimeNs, sha256, written_at };
    await trx
      .insertInto('stored_file')
      .values({ area, name, ...values })
      .onConflict((conflict) => conflict.columns(['area', 'name']).doUpdateSet(values))
      .execute();
  }
}

async function forgetCovers(trx: Database, releaseId: number): Promise<void> {
  const names = ['png', 'jpg', 'webp'].map((type) => `${releaseId}.${type}`);
  await trx
    .deleteFrom('stored_file')
    .where('area', '=', 'covers')
    .where('name', 'in', names)
    .execute();
  await trx.deleteFrom('cover_origin').where('release_id', '=', releaseId).execute();
}

async function recordOrigin(
  trx: Database,
  { releaseId, name }: { releaseId: number; name: string },
  { kind, from }: CoverOrigin,
): Promise<void> {
  await trx
    .insertInto('cover_origin')
    .values({ release_id: releaseId, kind, origin: from, name })
    .execute();
}
