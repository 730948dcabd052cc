import type {
  DatOptions,
  FileImport,
  ImportedDat,
  ImportOutcome,
  ImportRecord,
  ImportRecords,
  ImportSamples,
} from '../../core/imports/ports.ts';
import type { Clock } from '../../core/shared/clock.ts';
import type { Actor } from '../../core/shared/requests/actor.ts';
import type { Engine } from '../engine/engine.ts';
import { carryOut, type PartWriters } from './apply/carry-out.ts';
import { PartWriter } from './apply/import-batches.ts';
import { checkBasis, discardUnfinished } from './apply/unfinished.ts';
import { findImport, listImports } from './history.ts';
import { importAgain } from './import-again.ts';
import { planImport } from './plan/plan.ts';
import { outcomeOf } from './report.ts';
import { Staging } from './stage/staging.ts';
import { StagingRuns } from './stage/staging-runs.ts';
import { WaitingRows } from './stage/waiting-rows.ts';

/**
 * Imports DATs into releases. The rows of a file are staged, matched and planned without the write
 * lock. If there are many new releases, they are first written in short transactions and stay
 * hidden. The last transaction changes existing releases, shows the new ones and ends the import.
 */
export class SqlImportRecords implements ImportRecords {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #writers: PartWriters;
  readonly #runs: StagingRuns;

  constructor(parts: { engine: Engine; clock: Clock }) {
    this.#engine = parts.engine;
    this.#clock = parts.clock;
    this.#writers = {
      releases: new PartWriter(parts.engine),
      hashes: new PartWriter(parts.engine),
    };
    this.#runs = new StagingRuns(parts.engine);
  }

  newImport(): FileImport {
    const rows = new WaitingRows();
    return {
      add: (row) => rows.add(row),
      addRefused: (row) => rows.addRefused(row),
      addFacts: (facts, rowHasName) => rows.addFacts(facts, rowHasName),
      get waiting() {
        return rows.size;
      },
      run: (...args) => this.#run(rows, ...args),
    };
  }

  async #run(
    rows: WaitingRows,
    ...[fill, options, watch, actor]: Parameters<FileImport['run']>
  ): Promise<ImportOutcome> {
    const engine = this.#engine;
    if (!options.dryRun) await discardUnfinished(engine);
    return this.#runs.use(watch.signal, async (run) => {
      const staging = new Staging(run, rows);
      const dat = await stageFile(staging, fill);
      const plan = await run.stage((db, staged) => planImport(db, staged, dat, options));
      if (options.dryRun) {
        await checkBasis(engine.read, plan.basis);
        return outcomeOf(dat, plan);
      }
      const [clock, writers] = [this.#clock, this.#writers];
      return carryOut({ engine, writers, clock, run, dat, options, watch, actor, plan });
    });
  }

  importAgain(
    file: Pick<ImportedDat, 'fileName' | 'sha256'>,
    options: Pick<DatOptions, 'dryRun'>,
    actor: Actor,
  ): Promise<{ dat: ImportedDat; outcome: ImportOutcome } | null> {
    return importAgain({ engine: this.#engine, clock: this.#clock }, file, options, actor);
  }

  listImports(limit: number, offset: number): Promise<ImportRecord[]> {
    return listImports(this.#engine.read, limit, offset);
  }

  findImport(id: number): Promise<(ImportRecord & { samples: ImportSamples }) | null> {
    return findImport(this.#engine.read, id);
  }
}

/** Stages a file. When this function returns or throws, no write to a staging table is running. */
async function stageFile(
  staging: Staging,
  fill: Parameters<FileImport['run']>[0],
): Promise<ImportedDat> {
  try {
    const dat = await fill(() => staging.stage());
    await staging.finish(dat.kind);
    return dat;
  } finally {
    await staging.stop();
  }
}
