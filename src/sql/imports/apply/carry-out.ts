import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type {
  DatOptions,
  ImportedDat,
  ImportOutcome,
  ImportWatch,
} from '../../../core/imports/ports.ts';
import type { Clock } from '../../../core/shared/clock.ts';
import type { Actor } from '../../../core/shared/requests/actor.ts';
import { checkRight } from '../../accounts/write-as.ts';
import type { Engine } from '../../engine/engine.ts';
import { recordImport } from '../history.ts';
import { storeFacts } from '../plan/facts.ts';
import type { Plan } from '../plan/plan.ts';
import { outcomeOf } from '../report.ts';
import type { StagingDatabase, StagingRun } from '../stage/staging-run.ts';
import { applyChanges } from './apply-changes.ts';
import { applyMetadata } from './apply-metadata.ts';
import { type PartWriter, type Range, rowsAtOnce, sizeOf } from './import-batches.ts';
import { makeOwner, moveToSystem, type Owner } from './import-source.ts';
import { insertHashes, insertNew } from './insert-new.ts';
import { nothingPruned, prune } from './prune.ts';
import {
  checkNoClaim,
  claim,
  discardUnfinished,
  endClaim,
  lockClaim,
  lockImports,
} from './unfinished.ts';

const changedTables = [
  'changed_release',
  'gone_release',
  'filled_serial',
  'filled_metadata',
] as const;

const touchedTables = [
  'changed_release',
  'gone_release',
  'filled_serial',
  'filled_metadata',
  'pruned_release',
] as const;

/** Write the rows of large imports. */
export interface PartWriters {
  readonly releases: PartWriter;
  readonly hashes: PartWriter;
}

/** A planned import and everything that is needed to carry out the import. */
export interface PlannedImport {
  readonly engine: Engine;
  readonly writers: PartWriters;
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
  await lockImports(trx, basis, 'end');
  await checkNoClaim(trx);
  const owner = await makeOwner(trx, planned);
  await insertNew(trx, owner, newReleases);
  await insertHashes(trx, newHashes);
  return finishImport(trx, planned, owner);
}

async function writeLarge(planned: PlannedImport, claimant: string): Promise<ImportOutcome> {
  const { basis } = planned.plan;
  try {
    const begin = async (trx: StagingDatabase) => {
      await lockImports(trx, basis, 'begin');
      await claim(trx, basis, claimant);
      return makeOwner(trx, planned);
    };
    const owner = await planned.run.write(begin);
    await writeHidden(planned, owner, claimant);
    return await planned.run.write(async (trx) => {
      await lockImports(trx, basis, 'end');
      await endClaim(trx, claimant);
      return finishImport(trx, planned, owner);
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
  { engine, writers, run, plan, watch }: PlannedImport,
  owner: Owner,
  claimant: string,
): Promise<void> {
  const hidden =
    (write: (trx: StagingDatabase, part: Range) => Promise<void>) => async (part: Range) => {
      watch.signal.throwIfAborted();
      await engine.checkFreeSpace();
      const writePart = async (trx: StagingDatabase) => {
        await lockClaim(trx, claimant);
        await write(trx, part);
      };
      await run.write(writePart, { isPart: true });
    };
  const { newReleases, newHashes } = plan;
  const insert = hidden((trx, part) => insertNew(trx, owner, part));
  await writers.releases.write(newReleases, async (part) => {
    await insert(part);
    watch.onWritten(part.to - newReleases.from + 1, sizeOf(newReleases));
  });
  await writers.hashes.write(newHashes, hidden(insertHashes));
}

/** Ends the import: makes all other changes and adds the import to the history. */
async function finishImport(
  trx: StagingDatabase,
  { dat, options, plan, clock, actor }: PlannedImport,
  { platformId, source, revision }: Owner,
): Promise<ImportOutcome> {
  const { firstNew } = plan.basis;
  await trx.runAll([lockReleases(trx, firstNew), storeFacts(trx, platformId)]);
  if (source && options.system !== undefined) await moveToSystem(trx, source, revision);
  const fillsSerials = plan.filledSerials > 0;
  await trx.runAll([
    ...(source ? applyChanges(trx, source.id) : []),
    ...applyMetadata(firstNew, fillsSerials),
    ...(source || fillsSerials ? [indexChanges(trx, firstNew)] : []),
    renewRevisions({ firstNew, platformId, revision }),
  ]);
  const pruned = options.prune ? await prune(trx) : nothingPruned;
  const outcome = outcomeOf(dat, { ...plan, pruned });
  const at = clock.timestamp();
  const author = await checkRight(trx, actor, at);
  const sourceId = source?.id ?? null;
  await recordImport(trx, { dat, platformId, sourceId, outcome, at, author });
  return outcome;
}

/**
 * Returns the statement that updates the search texts of existing releases after all other changes
 * of an import. Reads `changed_release` and `filled_serial`.
 */
function indexChanges(
  { dialect }: Pick<StagingDatabase, 'dialect'>,
  firstNew: number,
): RawBuilder<unknown> {
  const searches = dialect.joinTexts(sql`said.search`, ' ', sql`said.source_id`);
  return sql`UPDATE release_text SET text = trim(own || ' ' || filled || ' ' || coalesce((
      SELECT ${searches} FROM source_row AS said
      WHERE said.release_id = release_text.release_id), ''))
    WHERE release_id IN (
      SELECT release_id FROM ${sql.table('changed_release')}
      UNION SELECT release_id FROM ${sql.table('filled_serial')}
        WHERE release_id < ${firstNew})`;
}

/**
 * Returns the statement that locks the releases below the id `firstNew` that an import changes. The
 * lock lasts until the transaction ends. No user can edit these releases meanwhile, so the set of
 * edited fields does not change. Reads `changed_release`, `gone_release`, `filled_serial`,
 * `filled_metadata` and `pruned_release`.
 */
function lockReleases(
  { dialect }: Pick<StagingDatabase, 'dialect'>,
  firstNew: number,
): RawBuilder<unknown> {
  const touched = touchedTables.map((table) => {
    return sql`SELECT release_id FROM ${sql.table(table)} WHERE release_id < ${firstNew}`;
  });
  return sql`SELECT count(*) FROM (
    SELECT id FROM release WHERE id IN (${sql.join(touched, sql` UNION `)})
    ORDER BY id ${dialect.lockRows}) AS locked`;
}

/**
 * Returns the statement that sets a new revision for all releases below the id `firstNew` that an
 * import changes. For some of these releases, only a source's data or a value hidden by an edit
 * changes. Reads `changed_release`, `gone_release`, `filled_serial`, `filled_metadata` and
 * `new_fact`.
 */
function renewRevisions(to: {
  readonly firstNew: number;
  readonly platformId: number;
  readonly revision: number;
}): RawBuilder<unknown> {
  const touched = changedTables.map((table) => {
    return sql`SELECT release_id FROM ${sql.table(table)} WHERE release_id < ${to.firstNew}`;
  });
  // New facts may change a value that an edit hides. Finding the affected releases would be costly.
  // Therefore all edited releases of the platform are included, because there are few of them.
  const edited = sql`SELECT edited.id FROM release_edit AS edit
    JOIN release AS edited ON edited.id = edit.release_id
    WHERE edited.platform_id = ${to.platformId} AND EXISTS (SELECT 1 FROM ${sql.table('new_fact')})`;
  return sql`UPDATE release SET revision = ${to.revision}
    WHERE id IN (${sql.join([...touched, edited], sql` UNION `)})`;
}
