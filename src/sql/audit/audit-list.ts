import { sql } from 'kysely';
import type { AuditEntry, AuditFilter, AuditRecords } from '../../core/audit/ports.ts';
import type { NewestPage } from '../../core/shared/newest-page.ts';
import type { DeferredWrites } from '../engine/deferred-writes.ts';
import type { Engine } from '../engine/engine.ts';

/** Lists the entries of the audit, which records who did what. */
export class SqlAuditRecords implements AuditRecords {
  readonly #engine: Engine;

  readonly #deferredWrites: Pick<DeferredWrites, 'flush'>;

  constructor(parts: { engine: Engine; deferredWrites: Pick<DeferredWrites, 'flush'> }) {
    this.#engine = parts.engine;
    this.#deferredWrites = parts.deferredWrites;
  }

  async list(filter: AuditFilter, { limit, before }: NewestPage): Promise<AuditEntry[]> {
    await this.#deferredWrites.flush(); // failed logins are deferred writes
    let query = this.#engine.read
      .selectFrom('audit')
      .select(['id', 'at', 'actor_kind as kind', 'username', 'address', 'action', 'target'])
      .select('detail')
      .orderBy('id', 'desc')
      .limit(limit);
    if (before !== null) query = query.where('id', '<', before);
    // Few entries have the same target, so the planner must use the index on `target`. The appended
    // `|| ''` prevents the planner from choosing an index on the other column.
    const { target } = filter;
    if (target !== '') query = query.where('target', '=', target);
    for (const column of ['action', 'username'] as const) {
      if (filter[column] === '') continue;
      const compared = target === '' ? sql.ref(column) : sql`${sql.ref(column)} || ''`;
      query = query.where(compared, '=', filter[column]);
    }
    const rows = await query.execute();
    return rows.map((row) => ({
      ...row,
      detail: row.detail === null ? null : JSON.parse(row.detail),
    }));
  }
}
