import type { Kysely } from 'kysely';
import { platformKey, systemOfHeader } from '../core/imports/platform.ts';
import type {
  ImportedDat,
  ImportOutcome,
  ImportRecord,
  ImportRecords,
  ImportSamples,
  ImportWishes,
  Staging,
} from '../core/imports/ports.ts';
import type { Actor } from '../core/shared/actor.ts';
import type { Clock } from '../core/shared/clock.ts';
import { recordAudit } from './audit.ts';
import { applyRows, decideRows } from './imports/apply.ts';
import { findImport, findSameFile, insertImport, listImports } from './imports/history.ts';
import { findContinued, matchRows } from './imports/match.ts';
import { affectPlatform, fillMetadata, protectedFacts, rememberFacts } from './imports/metadata.ts';
import { pruneGone } from './imports/prune.ts';
import { outcomeOf, reportFacts, reportRows, unchangedReport } from './imports/report.ts';
import { SqlStaging } from './imports/staging.ts';
import type { Sql } from './sqlite/open.ts';
import type { Tables } from './tables.ts';

type Database = Kysely<Tables>;

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
    wishes: ImportWishes,
    actor: Actor,
  ): Promise<ImportOutcome> {
    const staging = new SqlStaging(this.#sql);
    await staging.open();
    try {
      const dat = await fill(staging);
      await staging.finish(dat.kind);
      return await this.#sql.write(async (trx) => {
        const outcome = await this.#apply(trx, dat, wishes, actor);
        if (wishes.dryRun) throw new DryRun(outcome);
        return outcome;
      });
    } catch (error) {
      if (error instanceof DryRun) return error.outcome;
      throw error;
    } finally {
      await staging.close();
    }
  }

  listImports(limit: number, offset: number): Promise<ImportRecord[]> {
    return listImports(this.#sql.read, limit, offset);
  }

  findImport(id: number): Promise<(ImportRecord & { samples: ImportSamples }) | null> {
    return findImport(this.#sql.read, id);
  }

  async #apply(
    trx: Database,
    dat: ImportedDat,
    wishes: ImportWishes,
    actor: Actor,
  ): Promise<ImportOutcome> {
    const platformId = await platformOf(trx, dat.header.name);
    await rememberFacts(trx, platformId);
    const { outcome, sourceId } =
      dat.kind === 'dat'
        ? await applyDat(trx, dat, platformId, wishes)
        : { outcome: await applyMetadata(trx, dat, platformId), sourceId: null };
    const at = this.#clock.timestamp();
    const id = await insertImport(trx, { dat, platformId, sourceId, outcome, at, actor });
    const detail = { file: dat.fileName, platform: dat.header.name, ...outcome.counts };
    await recordAudit(trx, at, actor, 'import', `import/${id}`, detail);
    return outcome;
  }
}

/** Carries what would have happened out of a transaction that is rolled back. */
class DryRun extends Error {
  readonly outcome: ImportOutcome;

  constructor(outcome: ImportOutcome) {
    super('dry run');
    this.outcome = outcome;
  }
}

async function applyDat(
  trx: Database,
  dat: ImportedDat,
  platformId: number,
  wishes: ImportWishes,
): Promise<{ outcome: ImportOutcome; sourceId: number }> {
  const same = isPlain(wishes) ? await findSameFile(trx, platformId, dat.sha256) : null;
  if (same !== null) {
    const report = unchangedReport(same.releases);
    return { outcome: outcomeOf(dat, report, { pruned: 0, filled: 0 }), sourceId: same.sourceId };
  }
  const source = { platformId, ...(await sourceOf(trx, platformId, dat, wishes)) };
  await matchRows(trx, source);
  await decideRows(trx, source.id);
  const report = await reportRows(trx, source.id);
  await applyRows(trx, source);
  const filled = await fillMetadata(trx, platformId);
  const pruned = wishes.prune ? await pruneGone(trx, source.id, wishes.prune.keep) : 0;
  return { outcome: outcomeOf(dat, report, { pruned, filled }), sourceId: source.id };
}

/** Whether a file that was the last of its source can change nothing. */
function isPlain({ system, source, prune }: ImportWishes): boolean {
  return system === undefined && source === undefined && prune === undefined;
}

async function applyMetadata(
  trx: Database,
  dat: ImportedDat,
  platformId: number,
): Promise<ImportOutcome> {
  await affectPlatform(trx, platformId);
  const filled = await fillMetadata(trx, platformId);
  const report = await reportFacts(trx, protectedFacts());
  return outcomeOf(dat, report, { pruned: 0, filled });
}

async function platformOf(trx: Database, name: string): Promise<number> {
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

/** The source that the DAT is or continues, or a new one. Its system changes only when that is asked for. */
async function sourceOf(
  trx: Database,
  platformId: number,
  dat: ImportedDat,
  wishes: ImportWishes,
): Promise<{ id: number; system: string }> {
  const { name: headerName } = dat.header;
  const id = wishes.source
    ? await findNamed(trx, platformId, wishes.source)
    : await findContinued(trx, platformId, headerName);
  if (id === null) {
    const system = wishes.system ?? systemOfHeader(headerName);
    const values = {
      platform_id: platformId,
      name: wishes.source ?? '',
      header_name: headerName,
      system,
    };
    const made = trx.insertInto('source').values(values).returning(['id', 'system']);
    return made.executeTakeFirstOrThrow();
  }
  if (wishes.system) await moveToSystem(trx, id, wishes.system);
  const query = trx.selectFrom('source').select(['id', 'system']).where('id', '=', id);
  return query.executeTakeFirstOrThrow();
}

async function findNamed(trx: Database, platformId: number, name: string): Promise<number | null> {
  const query = trx.selectFrom('source').select('id').where('platform_id', '=', platformId);
  return (await query.where('name', '=', name).executeTakeFirst())?.id ?? null;
}

/** The releases that this source brought go with it. */
async function moveToSystem(trx: Database, sourceId: number, system: string): Promise<void> {
  await trx.updateTable('source').set({ system }).where('id', '=', sourceId).execute();
  await trx
    .updateTable('release')
    .set({ system })
    .where('system', '<>', system)
    .where('id', 'in', (is) =>
      is
        .selectFrom('source_row')
        .select('release_id')
        .where('source_id', '=', sourceId)
        .where('is_shown', '=', 1),
    )
    .execute();
}
