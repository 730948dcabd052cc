import type { Insertable } from 'kysely';
import type { Bulk, Database, Dialect, Engine, WriteOptions } from '../engine.ts';
import type { StagingTable } from '../staging-table.ts';
import type { Tables } from '../tables.ts';
import type { StagingNames } from './staging-names.ts';
import { type StagingTables, stagingTables } from './staging-tables.ts';

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
      (db, bulk) => work(this.#see(db), new StagingRows(this.#names, bulk, db.dialect)),
      this.#signal,
    );
  }

  /** A transaction, as `Engine.write` does it. */
  write<R>(work: (trx: StagingDatabase) => Promise<R>, options?: WriteOptions): Promise<R> {
    return this.#engine.write((trx) => work(this.#see(trx)), options);
  }

  #see(db: Database): StagingDatabase {
    return db.withStaging<StagingTables>(this.#names);
  }
}

/** Rows from this process's memory into staging tables. */
export class StagingRows {
  readonly #names: StagingNames;
  readonly #bulk: Bulk;
  readonly #dialect: Pick<Dialect, 'uniqueKey'>;

  constructor(names: StagingNames, bulk: Bulk, dialect: Pick<Dialect, 'uniqueKey'>) {
    this.#names = names;
    this.#bulk = bulk;
    this.#dialect = dialect;
  }

  /** Adds rows; with `replace` they take the place of those of the same key, else each must have a new one. */
  async add<T extends keyof StagingTables>(
    table: T,
    rows: readonly Insertable<StagingTables[T]>[],
    conflict?: 'replace',
  ): Promise<void> {
    if (rows.length === 0) return;
    const { columns, key }: StagingTable = stagingTables[table];
    const names = Object.keys(columns) as (keyof Insertable<StagingTables[T]> & string)[];
    const places = names.map(() => '?').join(', ');
    const sets = names.map((name) => `${name} = excluded.${name}`).join(', ');
    const unique = key.map((name) =>
      columns[name] === 'text' ? this.#dialect.uniqueKey(name) : name,
    );
    const replace = conflict ? ` ON CONFLICT (${unique.join(', ')}) DO UPDATE SET ${sets}` : '';
    await this.#bulk.run(
      `INSERT INTO ${this.#names.nameOf(table)} (${names.join(', ')}) VALUES (${places})${replace}`,
      rows.map((row) => names.map((name) => row[name])),
    );
  }
}
