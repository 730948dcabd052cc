import { sql } from 'kysely';
import type { DownloadDay, DownloadDays } from '../../core/stats/dashboard.ts';
import type { DatabaseStats, StatsRecords, SystemCount } from '../../core/stats/stats.ts';
import type { NotedWrites } from '../engine/deferred-writes.ts';
import type { Engine } from '../engine/engine.ts';

/** Maximum number of recent downloads that are returned (account-api.md, Limits). */
const mostRecent = 20;

export class SqlStatsRecords implements StatsRecords, DownloadDays {
  readonly #engine: Engine;
  readonly #notes: NotedWrites;

  constructor(parts: { engine: Engine; notes: NotedWrites }) {
    this.#engine = parts.engine;
    this.#notes = parts.notes;
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
    await this.#notes.settle();
    return this.#engine.read
      .selectFrom('download_day')
      .selectAll()
      .where('day', '>=', from)
      .orderBy('day')
      .execute();
  }

  async stats(): Promise<DatabaseStats> {
    await this.#notes.settle();
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
        .orderBy('download_event.id', 'desc')
        .limit(mostRecent)
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
