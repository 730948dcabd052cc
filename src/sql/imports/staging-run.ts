import { type Insertable, sql } from 'kysely';
import type { Bulk, Database, Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';
import { StagingNames } from './staging-names.ts';
import { type StagingTables, stagingTableNames, stagingTables } from './staging-tables.ts';

/** A handle that sees the staging tables of one run beside the catalogue. */
export type StagingDatabase = Database<Tables & StagingTables>;

/** The staging tables of one import, which is given names of its own for them. */
export class StagingRun {
  readonly #engine: Engine;
  readonly #names: StagingNames;
  readonly #signal: AbortSignal;

  constructor(engine: Engine, names: StagingNames, signal: AbortSignal) {
    this.#engine = engine;
    this.#names = names;
    this.#signal = signal;
  }

  /** Work on the staging tables, as `Engine.stage` does it. Throws the signal's reason once it is aborted. */
  stage<R>(work: (db: StagingDatabase, rows: StagingRows) => Promise<R>): Promise<R> {
    return this.#engine.stage(
      (db, bulk) => work(this.#see(db), new StagingRows(this.#names, bulk)),
      this.#signal,
    );
  }

  /** A transaction, as `Engine.write` does it. */
  write<R>(work: (trx: StagingDatabase) => Promise<R>): Promise<R> {
    return this.#engine.write((trx) => work(this.#see(trx)));
  }

  #see(db: Database): StagingDatabase {
    return db.withStaging<StagingTables>(this.#names);
  }
}

/** Rows from this process's memory into staging tables. */
export class StagingRows {
  readonly #names: StagingNames;
  readonly #bulk: Bulk;

  constructor(names: StagingNames, bulk: Bulk) {
    this.#names = names;
    this.#bulk = bulk;
  }

  /** Adds rows; with `replace` they take the place of those of the same key, else each must have a new one. */
  async add<T extends keyof StagingTables>(
    table: T,
    rows: readonly Insertable<StagingTables[T]>[],
    conflict?: 'replace',
  ): Promise<void> {
    if (rows.length === 0) return;
    const { columns, key } = stagingTables[table];
    const names = Object.keys(columns) as (keyof Insertable<StagingTables[T]> & string)[];
    const places = names.map(() => '?').join(', ');
    const sets = names.map((name) => `${name} = excluded.${name}`).join(', ');
    const replace = conflict ? ` ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${sets}` : '';
    await this.#bulk.run(
      `INSERT INTO ${this.#names.nameOf(table)} (${names.join(', ')}) VALUES (${places})${replace}`,
      rows.map((row) => names.map((name) => row[name])),
    );
  }
}

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
