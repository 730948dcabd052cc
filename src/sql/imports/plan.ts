import { systemOfHeader } from '../../core/imports/platform.ts';
import type { ImportedDat, ImportWishes } from '../../core/imports/ports.ts';
import type { Database } from '../engine.ts';
import { findSameFile, lastImport } from './history.ts';
import { findContinued, matchRows } from './match.ts';
import { planFacts, planFills, protectedFacts } from './metadata.ts';
import { findNamed, findPlatform, none, type Owner, systemOf } from './owner.ts';
import { planRows } from './plan-rows.ts';
import { nothingPruned, planPrune } from './prune.ts';
import { type Pruned, type RowReport, reportFacts, reportRows, unchangedReport } from './report.ts';

/** What an import will do; the rows of it wait in TEMP tables. */
export interface Plan {
  /** The newest import when this was planned: the plan holds as long as it is. */
  readonly basis: number;
  readonly owner: Owner;
  /** Ids of the new releases: so many from the first on, which is beyond all ids when there are none. */
  readonly firstNew: number;
  readonly newCount: number;
  readonly hashCount: number;
  readonly report: RowReport;
  readonly filled: number;
  readonly pruned: Pruned;
}

/** Decides what a staged file will do. Only reads the catalogue, and takes no lock. */
export async function planImport(
  db: Database,
  dat: ImportedDat,
  wishes: ImportWishes,
): Promise<Plan> {
  const basis = await lastImport(db);
  const platformId = await findPlatform(db, dat.header.name);
  await planFacts(db, platformId);
  const nothingNew = { firstNew: Number.MAX_SAFE_INTEGER, newCount: 0, hashCount: 0 };
  const common = { basis, ...nothingNew, filled: 0, pruned: nothingPruned };
  if (dat.kind === 'metadata') {
    const filled = await planFills(db, platformId, null);
    const report = await reportFacts(db, protectedFacts());
    const owner = { platformId, sourceId: none, system: '' };
    return { ...common, owner, filled, report };
  }
  const same = isPlain(wishes) ? await findSameFile(db, platformId, dat.sha256) : null;
  if (same !== null) {
    const owner = { platformId, sourceId: same.sourceId, system: '' };
    return { ...common, owner, report: unchangedReport(same.releases) };
  }
  const owner = await findOwner(db, platformId, dat.header.name, wishes);
  await matchRows(db, owner);
  const numbered = await planRows(db, owner.sourceId);
  const filled = await planFills(db, platformId, owner.sourceId);
  const pruned = wishes.prune
    ? await planPrune(db, owner.sourceId, wishes.prune.keep)
    : nothingPruned;
  const report = await reportRows(db, owner.sourceId);
  return { ...common, ...numbered, owner, filled, pruned, report };
}

/** Whether a file that was the last of its source can change nothing. */
function isPlain({ system, source, prune }: ImportWishes): boolean {
  return system === undefined && source === undefined && prune === undefined;
}

/** The source that the DAT is or continues. Its system changes only when that is asked for. */
async function findOwner(
  db: Database,
  platformId: number,
  headerName: string,
  wishes: ImportWishes,
): Promise<Owner> {
  const id = wishes.source
    ? await findNamed(db, platformId, wishes.source)
    : await findContinued(db, platformId, headerName);
  const system =
    wishes.system ?? (id === null ? systemOfHeader(headerName) : await systemOf(db, id));
  return { platformId, sourceId: id ?? none, system };
}
