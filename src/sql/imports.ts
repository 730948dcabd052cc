import { randomUUID } from 'node:crypto';
import type {
  DatOptions,
  ImportedDat,
  ImportOutcome,
  ImportRecord,
  ImportRecords,
  ImportSamples,
  ImportWatch,
  Staging,
} from '../core/imports/ports.ts';
import type { Actor } from '../core/shared/actor.ts';
import type { Clock } from '../core/shared/clock.ts';
import { recordAudit } from './audit.ts';
import type { Engine } from './engine.ts';
import { applyChanges } from './imports/apply-changes.ts';
import { applyMetadata } from './imports/apply-metadata.ts';
import { keepFacts } from './imports/facts.ts';
import { findImport, insertImport, listImports } from './imports/history.ts';
import { indexChanges } from './imports/index-changes.ts';
import { insertHashes, insertNew } from './imports/insert-new.ts';
import { makePlatform, makeSource, moveToSystem, type Owner } from './imports/owner.ts';
import { type Range, rowsAtOnce, sizeOf, writeInParts } from './imports/parts.ts';
import { type Plan, planImport } from './imports/plan.ts';
import { nothingPruned, prune } from './imports/prune.ts';
import { outcomeOf } from './imports/report.ts';
import { SqlStaging } from './imports/stage-rows.ts';
import { type StagingDatabase, type StagingRun, StagingRuns } from './imports/staging-run.ts';
import {
  checkBasis,
  checkClaim,
  checkNoClaim,
  claim,
  discardUnfinished,
  endClaim,
  takeTurn,
} from './imports/unfinished.ts';

/** One file with all that its import needs to know. */
interface Work {
  readonly run: StagingRun;
  readonly dat: ImportedDat;
  readonly options: DatOptions;
  readonly watch: ImportWatch;
  readonly actor: Actor;
  readonly plan: Plan;
}

/**
 * DATs into releases. Rows are staged, matched and planned outside the write lock; many new releases are written in
 * short transactions, hidden until the last one, which changes what was there before, ends the import and shows them.
 */
export class SqlImportRecords implements ImportRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #runs: StagingRuns;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
    this.#runs = new StagingRuns(parts.engine);
  }

  async importDat(
    fill: (staging: Staging) => Promise<ImportedDat>,
    options: DatOptions,
    watch: ImportWatch,
    actor: Actor,
  ): Promise<ImportOutcome> {
    if (!options.dryRun) await discardUnfinished(this.#engine);
    return this.#runs.use(watch.signal, async (run) => {
      const staging = new SqlStaging(run);
      const dat = await fill(staging);
      await staging.finish(dat.kind);
      const plan = await run.stage((db, rows) => planImport(db, rows, dat, options));
      const work = { run, dat, options, watch, actor, plan };
      if (!options.dryRun) return this.#carryOut(work);
      await checkBasis(this.#engine.read, plan.basis);
      return outcomeOf(dat, plan);
    });
  }

  listImports(limit: number, offset: number): Promise<ImportRecord[]> {
    return listImports(this.#engine.read, limit, offset);
  }

  findImport(id: number): Promise<(ImportRecord & { samples: ImportSamples }) | null> {
    return findImport(this.#engine.read, id);
  }

  #carryOut(work: Work): Promise<ImportOutcome> {
    const { newReleases, newHashes } = work.plan;
    const isLarge = Math.max(sizeOf(newReleases), sizeOf(newHashes)) > rowsAtOnce;
    return isLarge
      ? this.#writeInParts(work)
      : work.run.write((trx) => this.#writeAtOnce(trx, work));
  }

  async #writeAtOnce(trx: StagingDatabase, work: Work): Promise<ImportOutcome> {
    await takeTurn(trx, work.plan.basis, 'end');
    await checkNoClaim(trx);
    const owner = await makeOwner(trx, work);
    await insertNew(trx, owner, work.plan.newReleases);
    await insertHashes(trx, work.plan.newHashes);
    return this.#end(trx, work, owner);
  }

  async #writeInParts(work: Work): Promise<ImportOutcome> {
    const claimant = randomUUID();
    try {
      const owner = await work.run.write(async (trx) => {
        await takeTurn(trx, work.plan.basis, 'begin');
        await claim(trx, work.plan.basis, claimant);
        return makeOwner(trx, work);
      });
      await this.#writeHidden(work, owner, claimant);
      return await work.run.write(async (trx) => {
        await takeTurn(trx, work.plan.basis, 'end');
        await endClaim(trx, claimant);
        return this.#end(trx, work, owner);
      });
    } catch (error) {
      // The error that led here is the one to tell; what is left stays hidden and goes with the next import.
      await discardUnfinished(this.#engine, claimant).catch(() => undefined);
      throw error;
    }
  }

  /** All that is new. Hashes come last: they go with the ROMs that an unfinished import leaves. */
  async #writeHidden({ run, plan, watch }: Work, owner: Owner, claimant: string): Promise<void> {
    const hidden =
      (write: (trx: StagingDatabase, part: Range) => Promise<void>) => async (part: Range) => {
        watch.signal.throwIfAborted();
        await this.#engine.checkRoom();
        await run.write(async (trx) => {
          await checkClaim(trx, claimant);
          await write(trx, part);
        });
      };
    const { newReleases, newHashes } = plan;
    const insert = hidden((trx, part) => insertNew(trx, owner, part));
    await writeInParts(newReleases, async (part) => {
      await insert(part);
      watch.onWritten(part.to - newReleases.from + 1, sizeOf(newReleases));
    });
    await writeInParts(newHashes, hidden(insertHashes));
  }

  /** What makes the import, in one transaction: what changes, and its place in the history. */
  async #end(trx: StagingDatabase, work: Work, owner: Owner): Promise<ImportOutcome> {
    const { dat, options, plan, actor } = work;
    const { platformId, source } = owner;
    const { firstNew } = plan.basis;
    await keepFacts(trx, platformId);
    if (source && options.system !== undefined) await moveToSystem(trx, source.id, options.system);
    if (source) await applyChanges(trx, source.id);
    await applyMetadata(trx, firstNew);
    await indexChanges(trx, firstNew);
    const pruned = options.prune ? await prune(trx) : nothingPruned;
    const outcome = outcomeOf(dat, { ...plan, pruned });
    const at = this.#clock.timestamp();
    const sourceId = source?.id ?? null;
    const id = await insertImport(trx, { dat, platformId, sourceId, outcome, at, actor });
    const detail = { file: dat.fileName, platform: dat.header.name, ...outcome.counts };
    await recordAudit(trx, at, actor, 'import', `import/${id}`, detail);
    return outcome;
  }
}

/** The platform and the source, made if they are not there yet. After `takeTurn`. */
async function makeOwner(trx: StagingDatabase, { dat, options, plan }: Work): Promise<Owner> {
  const headerName = dat.header.name;
  const platformId = plan.platformId ?? (await makePlatform(trx, headerName));
  if (plan.source === null) return { platformId, source: null };
  const { system } = plan.source;
  const name = options.source ?? '';
  const id = plan.source.id ?? (await makeSource(trx, { platformId, name, headerName, system }));
  return { platformId, source: { id, system } };
}
