import type { Generated } from 'kysely';

/** What a column holds; `?`: or null. `numbered` gives the rows the numbers from 1 on, in the order of their inserts. */
export type StagingColumn = 'integer' | 'integer?' | 'text' | 'text?' | 'boolean' | 'numbered';

/** A table for work in progress, outside the catalogue. */
export interface StagingTable {
  readonly columns: Readonly<Record<string, StagingColumn>>;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** A column that is unique, too. */
  readonly unique?: string;
}

/** The rows of a staging table. */
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
