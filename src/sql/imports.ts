import type { Kysely } from 'kysely';
import { platformKey } from '../core/imports/platform.ts';
import type { ImportCounts, ImportedDat, ImportRecords, Staging } from '../core/imports/ports.ts';
import type { Actor } from '../core/shared/actor.ts';
import type { Clock } from '../core/shared/clock.ts';
import { actorName, recordAudit } from './audit.ts';
import { applyRows } from './imports/apply.ts';
import { findContinued, matchRows } from './imports/match.ts';
import { SqlStaging } from './imports/staging.ts';
import type { Sql } from './sqlite/open.ts';
import type { Tables } from './tables.ts';

/** DATs into releases: staged outside the write lock, applied by a few statements over whole tables. */
export class SqlImportRecords implements ImportRecords {
  readonly #sql: Sql<Tables>;
  readonly #clock: Clock;

  constructor(parts: { sql: Sql<Tables>; clock: Clock }) {
    this.#sql = parts.sql;
    this.#clock = parts.clock;
  }

  async importDat(
    fill: (staging: Staging) => Promise<ImportedDat>,
    actor: Actor,
  ): Promise<ImportCounts> {
    const staging = new SqlStaging(this.#sql);
    await staging.open();
    try {
      const dat = await fill(staging);
      const rows = await staging.finish();
      return await this.#sql.write((trx) => this.#apply(trx, dat, rows, actor));
    } finally {
      await staging.close();
    }
  }

  async #apply(
    trx: Kysely<Tables>,
    dat: ImportedDat,
    rows: number,
    actor: Actor,
  ): Promise<ImportCounts> {
    const platformId = await platformOf(trx, dat.header.name);
    const source = { platformId, ...(await sourceOf(trx, platformId, dat)) };
    await matchRows(trx, source);
    const counts = { rows, ...(await applyRows(trx, source)) };
    await this.#remember(trx, source.id, dat, counts, actor);
    return counts;
  }

  async #remember(
    trx: Kysely<Tables>,
    sourceId: number,
    dat: ImportedDat,
    counts: ImportCounts,
    actor: Actor,
  ): Promise<void> {
    const at = this.#clock.timestamp();
    const { id } = await trx
      .insertInto('import')
      .values({
        source_id: sourceId,
        file_name: dat.fileName,
        sha256: dat.sha256,
        header_description: dat.header.description,
        version: dat.header.version,
        imported_at: at,
        imported_by: actorName(actor),
        counts: JSON.stringify(counts),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const detail = { file: dat.fileName, platform: dat.header.name, ...counts };
    await recordAudit(trx, at, actor, 'import', `import/${id}`, detail);
  }
}

async function platformOf(trx: Kysely<Tables>, name: string): Promise<number> {
  const key = platformKey(name);
  const known = await trx
    .selectFrom('platform')
    .select('id')
    .where('key', '=', key)
    .executeTakeFirst();
  if (known) return known.id;
  const made = trx.insertInto('platform').values({ key, name }).returning('id');
  return (await made.executeTakeFirstOrThrow()).id;
}

/** The source that the DAT continues, or a new one. A continued source keeps the system of its first import. */
async function sourceOf(
  trx: Kysely<Tables>,
  platformId: number,
  dat: ImportedDat,
): Promise<{ id: number; system: string }> {
  const headerName = dat.header.name;
  const continued = await findContinued(trx, platformId, headerName);
  if (continued !== null) {
    const query = trx.selectFrom('source').select(['id', 'system']).where('id', '=', continued);
    return query.executeTakeFirstOrThrow();
  }
  return trx
    .insertInto('source')
    .values({ platform_id: platformId, header_name: headerName, system: dat.system })
    .returning(['id', 'system'])
    .executeTakeFirstOrThrow();
}
