import { type SqlBool, sql } from 'kysely';
import type { LibraryDownloadRecords } from '../../core/library/ports.ts';
import type { Clock } from '../../core/shared/clock.ts';
import type { NewestPage } from '../../core/shared/newest-page.ts';
import type { Download, DownloadFilter, DownloadRecords } from '../../core/store/downloads.ts';
import type { DeferredWrites } from '../engine/deferred-writes.ts';
import type { Engine } from '../engine/engine.ts';

/** Lists the downloads of archives and library files. */
export class SqlDownloadRecords implements DownloadRecords {
  readonly #engine: Engine;
  readonly #deferredWrites: Pick<DeferredWrites, 'flush'>;

  constructor(parts: { engine: Engine; deferredWrites: Pick<DeferredWrites, 'flush'> }) {
    this.#engine = parts.engine;
    this.#deferredWrites = parts.deferredWrites;
  }

  async list({ by, name }: DownloadFilter, { limit, before }: NewestPage): Promise<Download[]> {
    await this.#deferredWrites.flush();
    let query = this.#engine.read
      .selectFrom('download_event as event')
      .leftJoin('user', 'user.id', 'event.user_id')
      .select(['event.id', 'event.created_at as createdAt', 'user.username'])
      .select(['event.kind', 'event.area as system', 'event.name', 'event.bytes'])
      .orderBy('event.id', 'desc')
      .limit(limit);
    if (before !== null) query = query.where('event.id', '<', before);
    if (name !== '') query = query.where('event.name', '=', name);
    if (by !== null) query = query.where(isBy(by));
    return query.execute();
  }
}

function isBy(by: NonNullable<DownloadFilter['by']>) {
  if ('id' in by) return sql<SqlBool>`event.user_id = ${by.id}`;
  return sql<SqlBool>`event.user_id = (SELECT id FROM ${sql.table('user')} WHERE username = ${by.username})`;
}

/** Returns the records of downloads from the library. */
export function sqlLibraryDownloads({
  deferredWrites,
  clock,
}: {
  deferredWrites: Pick<DeferredWrites, 'add'>;
  clock: Clock;
}): LibraryDownloadRecords {
  return {
    recordLibraryDownload({ userId, system, name, bytes }) {
      const download = { user_id: userId, area: system, name, bytes, kind: 'library' as const };
      const values = { ...download, created_at: clock.timestamp() };
      deferredWrites.add(async (trx) => {
        await trx.insertInto('download_event').values(values).execute();
      });
    },
  };
}
