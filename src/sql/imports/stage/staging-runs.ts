import { sql } from 'kysely';
import type { Engine } from '../../engine/engine.ts';
import { StagingNames } from './staging-names.ts';
import { StagingRun } from './staging-run.ts';
import { stagingTableNames, stagingTables } from './staging-tables.ts';

/**
 * Gives each import its own staging tables, so that one process can preview several imports
 * concurrently. The tables are reused, because creating and dropping tables takes longer than
 * importing a small file.
 */
export class StagingRuns {
  readonly #engine: Engine;
  /** Numbers of the table sets that are in use. */
  readonly #usedNumbers = new Set<number>();
  /** Numbers of the unused table sets that could not be emptied. */
  readonly #dirtyNumbers = new Set<number>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Runs work with an empty set of staging tables, and empties the tables afterwards. */
  async use<R>(signal: AbortSignal, work: (run: StagingRun) => Promise<R>): Promise<R> {
    for (const number of this.#dirtyNumbers) await this.#drop(number);
    const number = firstFree(this.#usedNumbers);
    this.#usedNumbers.add(number);
    const names = new StagingNames(number);
    try {
      await this.#create(names);
      return await work(new StagingRun(this.#engine, names, signal));
    } finally {
      // If the tables cannot be emptied now, they are dropped before the next import.
      this.#dirtyNumbers.add(number);
      await this.#empty(number).catch(() => undefined);
    }
  }

  async #create(names: StagingNames): Promise<void> {
    const tables = stagingTableNames.map((table) => [names.nameOf(table), stagingTables[table]]);
    await this.#engine.stage((db) => db.dialect.createStaging(db, Object.fromEntries(tables)));
  }

  async #empty(number: number): Promise<void> {
    await this.#engine.stage((db) => db.dialect.emptyStaging(db, namesOf(number)));
    this.#free(number);
  }

  async #drop(number: number): Promise<void> {
    const drop = namesOf(number).map((name) => sql`DROP TABLE IF EXISTS ${sql.id(name)}`);
    await this.#engine.stage((db) => db.runAll(drop));
    this.#free(number);
  }

  #free(number: number): void {
    this.#dirtyNumbers.delete(number);
    this.#usedNumbers.delete(number);
  }
}

function namesOf(number: number): string[] {
  const names = new StagingNames(number);
  return stagingTableNames.map((table) => names.nameOf(table));
}

function firstFree(taken: ReadonlySet<number>): number {
  let number = 1;
  while (taken.has(number)) number += 1;
  return number;
}
