import { sql } from 'kysely';
import type { DownloadDay, DownloadDays } from '../../core/stats/dashboard.ts';
import type { DatabaseStats, StatsRecords, SystemCount } from '../../core/stats/stats.ts';
import type { DeferredWrites } from '../engine/deferred-writes.ts';
import type { Engine } from '../engine/engine.ts';

/** Maximum number of recent downloads that are returned (account-api.md, Limits). */
const maxRecent = 20;

export class SqlStatsRecords implements StatsRecords, DownloadDays {
  readonly #engine: Engine;
  readonly #deferredWrites: DeferredWrites;

  constructor(parts: { engine: Engine; deferredWrites: DeferredWrites }) {
    this.#engine = parts.engine;
    this.#deferredWrites = parts.deferredWrites;
  }

  systems(): Promise<SystemCount[]> {
    const { read } = this.#engine;
    return read
      .selectFrom('release_count')
      .select(['system', read.fn.sum<number>('releases').as('releases')])
      .where('hidden', '=', false)
      .groupBy('system')
      .orderBy('system')
      .execute();
  }

  async downloadDays(from: string): Promise<DownloadDay[]> {
    await this.#deferredWrites.flush();
    return this.#engine.read
      .selectFrom('download_day')
      .selectAll()
      .where('day', '>=', from)
      .orderBy('day')
      .execute();
  }

  async stats(): Promise<DatabaseStats> {
    await this.#deferredWrites.flush();
    const { read } = this.#engine;
    const [systems, users, downloads, recent] = await Promise.all([
      this.systems(),
      countRows(read.selectFrom('user').select(read.fn.countAll<number>().as('count'))),
      // Sums up the counts of the days, because old download events may have been removed.
      countRows(
        read.selectFrom('download_day').select(sql<number>`coalesce(sum(count), 0)`.as('count')),
      ),
      read
        .selectFrom('download_event')
        .leftJoin('user', 'user.id', 'download_event.user_id')
        .select([
          'download_event.area as system',
          'download_event.name',
          'download_event.bytes',
          'download_event.created_at as createdAt',
          'user.username',
        ])
        // A literal, so that the partial index of archives can be used.
        .where('download_event.kind', '=', sql.lit('archive'))
        .orderBy('download_event.id', 'desc')
        .limit(maxRecent)
        .execute(),
    ]);
    return { systems, users, downloads, recent };
  }
}

async function countRows(query: {
  executeTakeFirstOrThrow(): Promise<{ count: number }>;
}): Promise<number> {
  return (await query.executeTakeFirstOrThrow()).count;
}
