import type { Generated, QueryExecutorProvider, RawBuilder } from 'kysely';

/**
 * The type of a column. A `?` allows null. A `numbered` column contains the number of the row,
 * counted from 1 in the order of insertion.
 */
export type StagingColumn = 'integer' | 'integer?' | 'text' | 'text?' | 'boolean' | 'numbered';

/** A table for intermediate results, which is not a part of the catalogue. */
export interface StagingTable {
  readonly columns: Readonly<Record<string, StagingColumn>>;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** A further column whose values are unique. */
  readonly unique?: string;
}

/** The row type of a staging table. */
export type RowOf<T extends StagingTable> = {
  [C in keyof T['columns']]: ValueOf<T['columns'][C]>;
};

type ValueOf<C extends StagingColumn> = C extends `${infer Kind extends keyof Values}?`
  ? Values[Kind] | null
  : C extends keyof Values
    ? Values[C]
    : never;

interface Values {
  integer: number;
  text: string;
  boolean: boolean;
  numbered: Generated<number>;
}

/** The part of the query handle of `Engine.stage` that creates and empties staging tables. */
export interface StagingQueries extends QueryExecutorProvider {
  runAll(statements: readonly RawBuilder<unknown>[]): Promise<unknown>;
}
