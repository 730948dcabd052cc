import type { DatOptions, ImportedDat, ImportOutcome } from '../../core/imports/ports.ts';
import type { Clock } from '../../core/shared/clock.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import { writeAs } from '../accounts/write-as.ts';
import type { Engine } from '../engine/engine.ts';
import { nothingPruned } from './apply/prune.ts';
import { checkNoClaim, discardUnfinished, lockImports, readBasis } from './apply/unfinished.ts';
import { findLastImport, recordImport } from './history.ts';
import { outcomeOf, unchangedReport } from './report.ts';

/** Implements `ImportRecords.importAgain`. No release is changed; the import is only recorded. */
export async function importAgain(
  { engine, clock }: { engine: Engine; clock: Clock },
  { fileName, sha256 }: Pick<ImportedDat, 'fileName' | 'sha256'>,
  { dryRun }: Pick<DatOptions, 'dryRun'>,
  actor: Actor,
): Promise<{ dat: ImportedDat; outcome: ImportOutcome } | null> {
  if (!dryRun) await discardUnfinished(engine);
  const basis = await readBasis(engine.read);
  const last = await findLastImport(engine.read, sha256);
  if (last === null) return null;
  const { platformId, sourceId, releases } = last;
  const dat = { ...last.dat, fileName };
  const report = unchangedReport(releases);
  const outcome = outcomeOf(dat, { report, filled: 0, pruned: nothingPruned });
  if (dryRun) return { dat, outcome };
  const at = clock.timestamp();
  await writeAs(engine, { actor, at }, async (trx, author) => {
    await lockImports(trx, basis, 'end');
    await checkNoClaim(trx);
    await recordImport(trx, { dat, platformId, sourceId, outcome, at, author });
  });
  return { dat, outcome };
}
