import type { Insertable } from 'kysely';
import type { Dialect } from '../../engine/dialect.ts';
import type { Bulk, Database, Engine } from '../../engine/engine.ts';
import type { StagingTable } from '../../engine/staging-table.ts';
import type { WriteOptions } from '../../engine/write-options.ts';
import type { Tables } from '../../tables.ts';
import type { StagingNames } from './staging-names.ts';
import { type StagingTables, stagingTables } from './staging-tables.ts';

/** A query handle for the catalogue and the staging tables of one import. */
export type StagingDatabase = Database<Tables & StagingTables>;

/** The staging tables of one import. Each import has its own tables with separate names. */
export class StagingRun {
  readonly #engine: Engine;
  readonly #names: StagingNames;
  readonly #signal: AbortSignal;

  constructor(engine: Engine, names: StagingNames, signal: AbortSignal) {
    this.#engine = engine;
    this.#names = names;
    this.#signal = signal;
  }

  /**
   * Runs work on the staging tables by `Engine.stage`. Once the signal is aborted, throws the
   * signal's reason.
   */
  stage<R>(work: (db: StagingDatabase, rows: StagingRows) => Promise<R>): Promise<R> {
    return this.#engine.stage(
      (db, bulk) => work(this.#withStaging(db), new StagingRows(this.#names, bulk, db.dialect)),
      this.#signal,
    );
  }

  /** Runs a transaction by `Engine.write`. The transaction also sees the staging tables. */
  write<R>(work: (trx: StagingDatabase) => Promise<R>, options?: WriteOptions): Promise<R> {
    return this.#engine.write((trx) => work(this.#withStaging(trx)), options);
  }

  #withStaging(db: Database): StagingDatabase {
    return db.withStaging<StagingTables>(this.#names);
  }
}

/** Writes rows from memory to the staging tables of one import. */
export class StagingRows {
  readonly #names: StagingNames;
  readonly #bulk: Bulk;
  readonly #dialect: Pick<Dialect, 'uniqueKey'>;

  constructor(names: StagingNames, bulk: Bulk, dialect: Pick<Dialect, 'uniqueKey'>) {
    this.#names = names;
    this.#bulk = bulk;
    this.#dialect = dialect;
  }

  /**
   * Adds rows to a table. With `conflict` set to 'replace', a new row replaces a row with the same
   * key. Otherwise no row with the same key may exist.
   */
  async add<T extends keyof StagingTables>(
    table: T,
    rows: readonly Insertable<StagingTables[T]>[],
    conflict?: 'replace',
  ): Promise<void> {
    const toValues = valuesOf(table);
    await this.addValues(table, rows.map(toValues), conflict);
  }

  /** Like `add`, for rows as returned by `valuesOf`. */
  async addValues(
    table: keyof StagingTables,
    rows: readonly RowValues[],
    conflict?: 'replace',
  ): Promise<void> {
    if (rows.length === 0) return;
    const { columns, key }: StagingTable = stagingTables[table];
    const names = Object.keys(columns);
    const places = names.map(() => '?').join(', ');
    const sets = names.map((name) => `${name} = excluded.${name}`).join(', ');
    const unique = key.map((name) =>
      columns[name] === 'text' ? this.#dialect.uniqueKey(name) : name,
    );
    const replace = conflict ? ` ON CONFLICT (${unique.join(', ')}) DO UPDATE SET ${sets}` : '';
    await this.#bulk.run(
      `INSERT INTO ${this.#names.nameOf(table)} (${names.join(', ')}) VALUES (${places})${replace}`,
      rows,
    );
  }
}

/** The values of a row, in the order of the columns of its table. */
export type RowValues = readonly unknown[];

/** Returns a function that returns the values of a row of this table. */
export function valuesOf<T extends keyof StagingTables>(
  table: T,
): (row: Insertable<StagingTables[T]>) => RowValues {
  const { columns }: StagingTable = stagingTables[table];
  const names = Object.keys(columns) as (keyof Insertable<StagingTables[T]> & string)[];
  return (row) => names.map((name) => row[name]);
}
