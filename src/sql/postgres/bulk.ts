import type { Connection, Patience } from './connection.ts';
import { insertTogether, plainInsertOf } from './insert-together.ts';

const ROWS_AT_ONCE = 2_000;
/** Characters. */
const TEXT_AT_ONCE = 1024 * 1024;
/** From so many rows on it pays to look up the types of a statement. */
const MANY_ROWS = 20;

/** Statements with a `?` for each parameter, run for many rows. */
export class BulkStatements {
  /** By the statement, the types of its parameters. */
  readonly #types = new Map<string, readonly string[]>();

  /** Returns how many rows were changed. In parts; the caller sees to it that they are one. */
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

  /** Undefined where they are not known. */
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

/** Each of at least one row, and of no more once the text of those before is long. */
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
