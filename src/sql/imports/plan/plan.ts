import { systemOfHeader } from '../../../core/imports/platform.ts';
import type { DatOptions, ImportedDat } from '../../../core/imports/ports.ts';
import type { Range } from '../apply/import-batches.ts';
import { findNamed, findPlatform, type PlannedSource, systemOf } from '../apply/import-source.ts';
import { nothingPruned, planPrune } from '../apply/prune.ts';
import { type Basis, readBasis } from '../apply/unfinished.ts';
import { type Pruned, type RowReport, reportFacts, reportRows } from '../report.ts';
import type { StagingDatabase, StagingRows } from '../stage/staging-run.ts';
import { findContinued } from './continued-source.ts';
import { planFacts } from './facts.ts';
import { matchRows } from './match-rows.ts';
import { planHashes, planNewReleases } from './new-releases.ts';
import { type Filled, planMetadata, protectedFields } from './plan-metadata.ts';
import { planChanges, planGone } from './plan-rows.ts';

/** The plan of an import. The planned rows are in staging tables. */
export interface Plan extends Filled {
  readonly basis: Basis;
  /** Null if the import must create the platform. */
  readonly platformId: number | null;
  /** Null if the file is a metadata file. */
  readonly source: PlannedSource | null;
  /** The ids that the new releases will have. */
  readonly newReleases: Range;
  /** The range of the rows in `new_hash`. */
  readonly newHashes: Range;
  readonly report: RowReport;
  readonly pruned: Pruned;
}

/**
 * Plans the changes that a staged file will make. The function only reads the catalogue and takes
 * no lock.
 */
export async function planImport(
  db: StagingDatabase,
  rows: StagingRows,
  dat: ImportedDat,
  options: DatOptions,
): Promise<Plan> {
  const basis = await readBasis(db);
  const platformId = await findPlatform(db, dat.header.name);
  await planFacts(db, platformId);
  const common = {
    basis,
    platformId,
    newReleases: { from: basis.firstNew, to: basis.firstNew - 1 },
    newHashes: { from: 1, to: 0 },
    pruned: nothingPruned,
  };
  const end = basis.firstNew;
  if (dat.kind === 'metadata') {
    const scope = { kind: 'metadata', platformId, sourceId: null, end } as const;
    const filled = await planMetadata(db, rows, scope);
    const report = await reportFacts(db, protectedFields());
    return { ...common, ...filled, source: null, report };
  }
  const source = await findSource(db, platformId, dat.header.name, options, end);
  const sourceId = source.id;
  if (platformId !== null) await matchRows(db, { platformId, sourceId, end });
  const newReleases = await planNewReleases(db, { first: end, rows: dat.rows });
  const newHashes = await planHashes(db);
  await planChanges(db, sourceId);
  if (sourceId !== null) await planGone(db, sourceId, end);
  const filled = await planMetadata(db, rows, { kind: 'dat', platformId, sourceId, end });
  const { keep } = options.prune ?? {};
  const pruned =
    keep && sourceId !== null ? await planPrune(db, { sourceId, keep, end }) : nothingPruned;
  const report = await reportRows(db, sourceId);
  return { ...common, ...filled, source, newReleases, newHashes, pruned, report };
}

/**
 * Returns the existing or new source of the DAT. The system of an existing source changes only if
 * `options.system` is set.
 */
async function findSource(
  db: StagingDatabase,
  platformId: number | null,
  headerName: string,
  options: DatOptions,
  end: number,
): Promise<PlannedSource> {
  let id = null;
  if (platformId !== null) {
    id = options.source
      ? await findNamed(db, platformId, options.source)
      : await findContinued(db, { platformId, headerName, end });
  }
  const system =
    options.system ?? (id === null ? systemOfHeader(headerName) : await systemOf(db, id));
  return { id, system };
}
