import { randomUUID } from 'node:crypto';
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
import type { Database, Engine } from './engine.ts';
import { applyChanges, indexChanges, insertHashes, insertNew } from './imports/apply.ts';
import { findImport, insertImport, lastImport, listImports } from './imports/history.ts';
import { applyFills, rememberFacts } from './imports/metadata.ts';
import { makePlatform, makeSource, moveToSystem, none, type Owner } from './imports/owner.ts';
import { type Plan, planImport } from './imports/plan.ts';
import { nothingPruned, prune } from './imports/prune.ts';
import { outcomeOf } from './imports/report.ts';
import { SqlStaging, withSmallSorters } from './imports/staging.ts';
import {
  checkClaim,
  claim,
  discardUnfinished,
  endClaim,
  type Range,
  rowsAtOnce,
  writeInParts,
} from './imports/unfinished.ts';

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
  readonly #engine: Engine;
  readonly #clock: Clock;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
  }

  async importDat(
    fill: (staging: Staging) => Promise<ImportedDat>,
    wishes: ImportWishes,
    watch: ImportWatch,
    actor: Actor,
  ): Promise<ImportOutcome> {
    await discardUnfinished(this.#engine);
    const staging = new SqlStaging(this.#engine, watch.signal);
    await staging.open();
    try {
      const dat = await fill(staging);
      await staging.finish(dat.kind);
      const plan = await this.#engine.stage(
        (db) => withSmallSorters(db, () => planImport(db, dat, wishes)),
        watch.signal,
      );
      if (wishes.dryRun) return outcomeOf(dat, plan);
      const isLarge = Math.max(plan.newCount, plan.hashCount) > rowsAtOnce;
      const claimant = isLarge ? randomUUID() : null;
      return await this.#carryOut({ dat, wishes, watch, actor, plan, claimant });
    } finally {
      await staging.close();
    }
  }

  listImports(limit: number, offset: number): Promise<ImportRecord[]> {
    return listImports(this.#engine.read, limit, offset);
  }

  findImport(id: number): Promise<(ImportRecord & { samples: ImportSamples }) | null> {
    return findImport(this.#engine.read, id);
  }

  async #carryOut(work: Work): Promise<ImportOutcome> {
    try {
      if (work.claimant === null) return await this.#engine.write((trx) => this.#end(trx, work));
      const owner = await this.#engine.write((trx) => begin(trx, work));
      await this.#writeNew(work, owner);
      return await this.#engine.write((trx) => this.#end(trx, work, owner));
    } catch (error) {
      // The error that led here is the one to tell; what is left stays hidden and goes with the next import.
      if (work.claimant !== null) {
        await discardUnfinished(this.#engine, work.claimant).catch(() => undefined);
      }
      throw error;
    }
  }

  /** All that is new, hidden. Hashes come last: they go with the ROMs that an unfinished import leaves. */
  async #writeNew({ plan, watch, claimant }: Work, owner: Owner): Promise<void> {
    const hidden =
      (write: (trx: Database, part: Range) => Promise<void>) => async (part: Range) => {
        watch.signal.throwIfAborted();
        await this.#engine.checkRoom();
        await this.#engine.write(async (trx) => {
          await checkClaim(trx, claimant);
          await write(trx, part);
        });
      };
    const { releases, hashes } = newRanges(plan);
    const insert = hidden((trx, part) => insertNew(trx, owner, part));
    await writeInParts(releases, async (part) => {
      await insert(part);
      watch.onWritten(part.to - releases.from + 1, plan.newCount);
    });
    await writeInParts(hashes, hidden(insertHashes));
  }

  /**
   * The transaction that makes the import: what changes, and its place in the history. `begun` is the owner of what is
   * new, if that was written before.
   */
  async #end(trx: Database, work: Work, begun?: Owner): Promise<ImportOutcome> {
    const { dat, wishes, plan, claimant, actor } = work;
    const owner = begun ?? (await begin(trx, work));
    await checkClaim(trx, claimant);
    if (begun === undefined) {
      const { releases, hashes } = newRanges(plan);
      await insertNew(trx, owner, releases);
      await insertHashes(trx, hashes);
    }
    await rememberFacts(trx, owner.platformId);
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

/** What is new, by its numbers. */
function newRanges({ firstNew, newCount, hashCount }: Plan): { releases: Range; hashes: Range } {
  return {
    releases: { from: firstNew, to: firstNew + newCount - 1 },
    hashes: { from: 1, to: hashCount },
  };
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
