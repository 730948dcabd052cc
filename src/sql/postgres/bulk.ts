import { insertTogether, plainInsertOf } from './insert-together.ts';
import type { Connection, Patience } from './sessions/connection.ts';

const ROWS_AT_ONCE = 2_000;
/** Maximum length of the texts in one message, in characters. */
const TEXT_AT_ONCE = 1024 * 1024;
/** Minimum number of rows for which looking up a statement's parameter types pays off. */
const MANY_ROWS = 20;

/** Runs statements for many rows. A statement has a `?` for each parameter. */
export class BulkStatements {
  /** For each statement, the types of its parameters. */
  readonly #types = new Map<string, readonly string[]>();

  /**
   * Runs a statement for each row and returns the number of changed rows. The rows are sent in
   * several parts. For an atomic change of all rows, the caller must begin a transaction.
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

  /** Returns the types of a statement's parameters. The types are cached. */
  async #typesOf(
    connection: Connection,
    numbered: string,
    patience: Patience,
  ): Promise<readonly string[]> {
    let types = this.#types.get(numbered);
    if (types === undefined) {
      types = await connection.typesOf(numbered, patience);
      if (this.#types.size > 500) this.#types.clear(); // the names of staging tables keep changing
      this.#types.set(numbered, types);
    }
    return types;
  }
}

/**
 * Splits rows into parts of at least one row. A part ends when it reaches `ROWS_AT_ONCE` rows or
 * `TEXT_AT_ONCE` characters.
 */
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
