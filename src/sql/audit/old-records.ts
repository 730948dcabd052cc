import type { OldRecordRemovals } from '../../core/audit/ports.ts';
import type { Engine } from '../engine/engine.ts';

/**
 * Removes old entries of the audit and old download events. Removed download events stay counted in
 * `download_day`.
 */
export class SqlOldRecordRemovals implements OldRecordRemovals {
  readonly #engine: Engine;

  constructor(parts: { engine: Engine }) {
    this.#engine = parts.engine;
  }

  removeAudit(before: string, max: number): Promise<number> {
    return this.#engine.write(async (trx) => {
      const removed = await trx
        .deleteFrom('audit')
        .where('id', 'in', (from) =>
          from.selectFrom('audit').select('id').where('at', '<', before).orderBy('at').limit(max),
        )
        .executeTakeFirst();
      return Number(removed.numDeletedRows);
    });
  }

  removeDownloads(before: string, max: number): Promise<number> {
    return this.#engine.write(async (trx) => {
      const removed = await trx
        .deleteFrom('download_event')
        .where('id', 'in', (from) =>
          from
            .selectFrom('download_event')
            .select('id')
            .where('created_at', '<', before)
            .orderBy('created_at')
            .limit(max),
        )
        .executeTakeFirst();
      return Number(removed.numDeletedRows);
    });
  }
}
