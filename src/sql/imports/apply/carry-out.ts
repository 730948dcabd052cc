import { randomUUID } from 'node:crypto';
import type {
  DatOptions,
  ImportedDat,
  ImportOutcome,
  ImportWatch,
} from '../../../core/imports/ports.ts';
import type { Actor } from '../../../core/shared/requests/actor.ts';
import type { Clock } from '../../../core/shared/clock.ts';
import type { Engine } from '../../engine/engine.ts';
import { checkRight } from '../../accounts/write-as.ts';
import { applyChanges } from './apply-changes.ts';
import { applyMetadata } from './apply-metadata.ts';
import { keepFacts } from '../plan/facts.ts';
import { recordImport } from '../history.ts';
import { indexChanges } from './index-changes.ts';
import { insertHashes, insertNew } from './insert-new.ts';
import { lockReleases } from './lock-releases.ts';
import { makeOwner, moveToSystem, type Owner } from './import-source.ts';
import { type Range, rowsAtOnce, sizeOf, writeInParts } from './import-batches.ts';
import type { Plan } from '../plan/plan.ts';
import { nothingPruned, prune } from './prune.ts';
import { renewRevisions } from './renew-revisions.ts';
import { outcomeOf } from '../report.ts';
import type { StagingDatabase, StagingRun } from '../stage/staging-run.ts';
import {
  checkClaim,
  checkNoClaim,
  claim,
  discardUnfinished,
  endClaim,
  takeTurn,
} from './unfinished.ts';

/** A planned import and everything that is needed to carry out the import. */
export interface PlannedImport {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly run: StagingRun;
  readonly dat: ImportedDat;
  readonly options: DatOptions;
  readonly watch: ImportWatch;
  readonly actor: Actor;
  readonly plan: Plan;
}

/**
 * Carries out a planned import. Uses one transaction, unless there are many new rows. Many rows are
 * first written in parts and stay hidden until the last transaction. Throws refused() if the plan
 * is no longer valid.
 */
export function carryOut(planned: PlannedImport): Promise<ImportOutcome> {
  const { newReleases, newHashes } = planned.plan;
  const isLarge = Math.max(sizeOf(newReleases), sizeOf(newHashes)) > rowsAtOnce;
  return isLarge
    ? writeLarge(planned, randomUUID())
    : planned.run.write((trx) => writeAtOnce(trx, planned));
}

async function writeAtOnce(trx: StagingDatabase, planned: PlannedImport): Promise<ImportOutcome> {
  const { basis, newReleases, newHashes } = planned.plan;
  await takeTurn(trx, basis, 'end');
  await checkNoClaim(trx);
  const owner = await makeOwner(trx, planned);
  await insertNew(trx, owner, newReleases);
  await insertHashes(trx, newHashes);
  return end(trx, planned, owner);
}

async function writeLarge(planned: PlannedImport, claimant: string): Promise<ImportOutcome> {
  const { basis } = planned.plan;
  try {
    const owner = await planned.run.write(async (trx) => {
      await takeTurn(trx, basis, 'begin');
      await claim(trx, basis, claimant);
      return makeOwner(trx, planned);
    });
    await writeHidden(planned, owner, claimant);
    return await planned.run.write(async (trx) => {
      await takeTurn(trx, basis, 'end');
      await endClaim(trx, claimant);
      return end(trx, planned, owner);
    });
  } catch (error) {
    // The original error is rethrown below. If the removal fails, the leftovers stay hidden, and
    // the next import removes them.
    await discardUnfinished(planned.engine, claimant).catch(() => undefined);
    throw error;
  }
}

/**
 * Writes all new releases, hidden, and then their hashes. If the import stays unfinished, the
 * removal of its ROMs also removes the hashes.
 */
async function writeHidden(
  { engine, run, plan, watch }: PlannedImport,
  owner: Owner,
  claimant: string,
): Promise<void> {
  const hidden =
    (write: (trx: StagingDatabase, part: Range) => Promise<void>) => async (part: Range) => {
      watch.signal.throwIfAborted();
      await engine.checkRoom();
      const writePart = async (trx: StagingDatabase) => {
        await checkClaim(trx, claimant);
        await write(trx, part);
      };
      await run.write(writePart, { isPart: true });
    };
  const { newReleases, newHashes } = plan;
  const insert = hidden((trx, part) => insertNew(trx, owner, part));
  await writeInParts(newReleases, async (part) => {
    await insert(part);
    watch.onWritten(part.to - newReleases.from + 1, sizeOf(newReleases));
  });
  await writeInParts(newHashes, hidden(insertHashes));
}

/** Ends the import: makes all other changes and adds the import to the history. */
async function end(
  trx: StagingDatabase,
  { dat, options, plan, clock, actor }: PlannedImport,
  { platformId, source, revision }: Owner,
): Promise<ImportOutcome> {
  const { firstNew } = plan.basis;
  await lockReleases(trx, firstNew);
  await keepFacts(trx, platformId);
  if (source && options.system !== undefined) await moveToSystem(trx, source, revision);
  if (source) await applyChanges(trx, source.id);
  await applyMetadata(trx, firstNew);
  await indexChanges(trx, firstNew);
  await renewRevisions(trx, { firstNew, platformId, revision });
  const pruned = options.prune ? await prune(trx) : nothingPruned;
  const outcome = outcomeOf(dat, { ...plan, pruned });
  const at = clock.timestamp();
  const author = await checkRight(trx, actor, at);
  const sourceId = source?.id ?? null;
  await recordImport(trx, { dat, platformId, sourceId, outcome, at, author });
  return outcome;
}
