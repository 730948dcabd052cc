import type { Connection, Patience } from './connection.ts';
import { insertTogether, plainInsertOf } from './insert-together.ts';

const ROWS_AT_ONCE = 2_000;
/** In characters. */
const TEXT_AT_ONCE = 1024 * 1024;
/** From this many rows on, it pays to look up the types of a statement's parameters. */
const MANY_ROWS = 20;

/** Runs statements with a `?` for each parameter for many rows. */
export class BulkStatements {
  /** The types of a statement's parameters, by statement. */
  readonly #types = new Map<string, readonly string[]>();

  /**
   * Returns how many rows were changed. Rows are sent in parts; the caller makes sure that they are
   * one transaction.
   */
  async run(
    connection: Connection,
    statement: string,
    rows: readonly (readonly unknown[])[],
    patience: () => Patience,
  ): Promise<number> {
    let number = 0;
    const numbered = statement.replaceAll('?', () => {
      number += 1;
      return `$${number}`;
    });
    const insert = rows.length >= MANY_ROWS ? plainInsertOf(statement) : null;
    const types = insert ? await this.#typesOf(connection, numbered, patience()) : undefined;
    let changes = 0;
    for (const part of partsOf(rows)) {
      changes +=
        insert && types
          ? await insertTogether(connection, insert, types, part, patience())
          : await connection.bulk(numbered, part, patience());
    }
    return changes;
  }

  /** Returns the types of a statement's parameters, from the cache if possible. */
  async #typesOf(
    connection: Connection,
    numbered: string,
    patience: Patience,
  ): Promise<readonly string[]> {
    let types = this.#types.get(numbered);
    if (types === undefined) {
      types = await connection.typesOf(numbered, patience);
      if (this.#types.size > 500) this.#types.clear(); // names of staging tables come and go
      this.#types.set(numbered, types);
    }
    return types;
  }
}

/** Yields parts of at least one row each. A part takes no further rows once its text is long. */
function* partsOf(
  rows: readonly (readonly unknown[])[],
): Generator<readonly (readonly unknown[])[]> {
  for (let start = 0; start < rows.length; ) {
    let length = 0;
    let end = start;
    while (end < rows.length && end < start + ROWS_AT_ONCE && length < TEXT_AT_ONCE) {
      for (const value of rows[end] ?? []) if (typeof value === 'string') length += value.length;
      end += 1;
    }
    yield rows.slice(start, end);
    start = end;
  }
}
