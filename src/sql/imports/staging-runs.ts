import { sql } from 'kysely';
import type { Engine } from '../engine.ts';
import { StagingNames } from './staging-names.ts';
import { StagingRun } from './staging-run.ts';
import { stagingTableNames, stagingTables } from './staging-tables.ts';

/** Gives each import staging tables of its own, so that one can be previewed beside another of the same process. */
export class StagingRuns {
  readonly #engine: Engine;
  /** The numbers of the runs that have tables. */
  readonly #taken = new Set<number>();
  /** Those of them that ended and whose tables could not be dropped. */
  readonly #left = new Set<number>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Runs work with empty staging tables, which are dropped afterwards. */
  async use<R>(signal: AbortSignal, work: (run: StagingRun) => Promise<R>): Promise<R> {
    for (const number of this.#left) await this.#drop(number);
    const number = firstFree(this.#taken);
    this.#taken.add(number);
    const names = new StagingNames(number);
    try {
      await this.#create(names);
      return await work(new StagingRun(this.#engine, names, signal));
    } finally {
      // What cannot be dropped now is dropped before the next run.
      this.#left.add(number);
      await this.#drop(number).catch(() => undefined);
    }
  }

  async #create(names: StagingNames): Promise<void> {
    await this.#engine.stage(async (db) => {
      for (const table of stagingTableNames) {
        await db.dialect.createStaging(names.nameOf(table), stagingTables[table]).execute(db);
      }
    });
  }

  async #drop(number: number): Promise<void> {
    const names = new StagingNames(number);
    await this.#engine.stage(async (db) => {
      for (const table of stagingTableNames) {
        await sql`DROP TABLE IF EXISTS ${sql.id(names.nameOf(table))}`.execute(db);
      }
    });
    this.#left.delete(number);
    this.#taken.delete(number);
  }
}

function firstFree(taken: ReadonlySet<number>): number {
  let number = 1;
  while (taken.has(number)) number += 1;
  return number;
}
