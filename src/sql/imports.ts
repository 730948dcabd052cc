import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type {
  ImportedDat,
  ImportOutcome,
  ImportRecord,
  ImportRecords,
  ImportSamples,
  ImportWatch,
  ImportWishes,
  Staging,
} from '../core/imports/ports.ts';
import type { Actor } from '../core/shared/actor.ts';
import type { Clock } from '../core/shared/clock.ts';
import { refused } from '../core/shared/errors.ts';
import { recordAudit } from './audit.ts';
import { applyChanges, indexChanges, insertNew } from './imports/apply.ts';
import { findImport, insertImport, lastImport, listImports } from './imports/history.ts';
import { applyFills, rememberFacts } from './imports/metadata.ts';
import { makePlatform, makeSource, moveToSystem, none, type Owner } from './imports/owner.ts';
import { type Plan, planImport } from './imports/plan.ts';
import { nothingPruned, prune } from './imports/prune.ts';
import { outcomeOf } from './imports/report.ts';
import { SqlStaging } from './imports/staging.ts';
import {
  checkClaim,
  claim,
  discardUnfinished,
  endClaim,
  type Range,
  rowsAtOnce,
  writeInParts,
} from './imports/unfinished.ts';
import type { Sql } from './sqlite/open.ts';
import type { Tables } from './tables.ts';

type Database = Kysely<Tables>;

/** One file with all that its import needs to know. */
interface Work {
  readonly dat: ImportedDat;
  readonly wishes: ImportWishes;
  readonly watch: ImportWatch;
  readonly actor: Actor;
  readonly plan: Plan;
  /** Of its claim on new releases; null when it needs none. */
  readonly claimant: string | null;
}

/**
 * DATs into releases. Rows are staged, matched and planned outside the write lock; many new releases are written in
 * short transactions, hidden until the last one, which changes what was there before, ends the import and shows them.
 */
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
    watch: ImportWatch,
    actor: Actor,
  ): Promise<ImportOutcome> {
    await discardUnfinished(this.#sql);
    const staging = new SqlStaging(this.#sql, watch.signal);
    await staging.open();
    try {
      const dat = await fill(staging);
      await staging.finish(dat.kind);
      const plan = await this.#sql.stage((db) => planImport(db, dat, wishes), watch.signal);
      if (wishes.dryRun) return outcomeOf(dat, plan);
      const isLarge = plan.newCount > rowsAtOnce || plan.factCount > rowsAtOnce;
      const claimant = isLarge ? randomUUID() : null;
      return await this.#carryOut({ dat, wishes, watch, actor, plan, claimant });
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

  async #carryOut(work: Work): Promise<ImportOutcome> {
    try {
      const { firstNew, newCount, factCount } = work.plan;
      let owner = work.plan.owner;
      let releases = { from: firstNew, to: firstNew + newCount - 1 };
      let facts = { from: 1, to: factCount };
      if (work.claimant !== null) {
        owner = await this.#sql.write((trx) => begin(trx, work));
        releases = await this.#writeReleases(work, owner, releases);
        facts = await writeInParts(facts, (part) =>
          this.#sql.write((trx) => rememberFacts(trx, owner.platformId, part)),
        );
      }
      return await this.#sql.write((trx) => this.#end(trx, work, { owner, releases, facts }));
    } catch (error) {
      // The error that led here is the one to tell; what is left stays hidden and goes with the next import.
      if (work.claimant !== null) {
        await discardUnfinished(this.#sql, work.claimant).catch(() => undefined);
      }
      throw error;
    }
  }

  #writeReleases(work: Work, owner: Owner, all: Range) {
    const { watch, claimant } = work;
    return writeInParts(all, async (part) => {
      watch.signal.throwIfAborted();
      await this.#sql.checkRoom();
      await this.#sql.write(async (trx) => {
        await checkClaim(trx, claimant);
        await insertNew(trx, owner, part);
      });
      watch.onWritten(part.to - all.from + 1, all.to - all.from + 1);
    });
  }

  /** The transaction that makes the import: all that is left to write, and its place in the history. */
  async #end(
    trx: Database,
    work: Work,
    rest: {
      owner: Owner;
      releases: Range;
      facts: Range;
    },
  ): Promise<ImportOutcome> {
    const { dat, wishes, plan, claimant, actor } = work;
    const owner = claimant === null ? await begin(trx, work) : rest.owner;
    await checkClaim(trx, claimant);
    await insertNew(trx, owner, rest.releases);
    await rememberFacts(trx, owner.platformId, rest.facts);
    if (wishes.system !== undefined && dat.kind === 'dat') {
      await moveToSystem(trx, owner.sourceId, wishes.system);
    }
    await applyChanges(trx, owner);
    await applyFills(trx, plan.firstNew);
    await indexChanges(trx, plan.firstNew);
    const pruned = wishes.prune ? await prune(trx) : nothingPruned;
    await endClaim(trx);
    const outcome = outcomeOf(dat, { ...plan, pruned });
    const { platformId } = owner;
    const sourceId = dat.kind === 'dat' ? owner.sourceId : null;
    const at = this.#clock.timestamp();
    const id = await insertImport(trx, { dat, platformId, sourceId, outcome, at, actor });
    const detail = { file: dat.fileName, platform: dat.header.name, ...outcome.counts };
    await recordAudit(trx, at, actor, 'import', `import/${id}`, detail);
    return outcome;
  }
}

/** Makes the platform and source that are not there yet, and claims the new ids if there are many. */
async function begin(trx: Database, { dat, wishes, plan, claimant }: Work): Promise<Owner> {
  if ((await lastImport(trx)) !== plan.basis) {
    throw refused('another import changed the catalogue meanwhile: run it again');
  }
  const { platformId, sourceId } = plan.owner;
  const { name } = dat.header;
  let owner = plan.owner;
  if (platformId === none) owner = { ...owner, platformId: await makePlatform(trx, name) };
  if (sourceId === none && dat.kind === 'dat') {
    owner = { ...owner, sourceId: await makeSource(trx, owner, wishes.source ?? '', name) };
  }
  if (claimant !== null) await claim(trx, plan.firstNew, claimant);
  return owner;
}
