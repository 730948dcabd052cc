import type { Connection, Submittable } from 'pg';
import { toBound } from './values.ts';

/** A property that the types of `pg` omit: the texts of the prepared statements, by name. */
type Wire = Connection & { readonly parsedStatements: Readonly<Record<string, string>> };

/**
 * A prepared statement run for many rows of parameters, which are sent without waiting for replies
 * in between (PostgreSQL 15, 55.2.3). Outside of a transaction, all rows form a single one.
 */
export class BulkRows implements Submittable {
  /** The name under which `pg` records a prepared statement, and its text. */
  readonly name: string;
  readonly text: string;
  /** How many rows were changed, once the server has processed all. */
  readonly changes: Promise<number>;
  /**
   * The rows in the server's format. Invalid values are refused before anything is sent, because
   * later statements would wait behind an incomplete message.
   */
  readonly #rows: readonly (readonly ReturnType<typeof toBound>[])[];
  #changed = 0;
  #settle: { resolve: (changes: number) => void; reject: (error: unknown) => void };

  constructor(name: string, text: string, rows: readonly (readonly unknown[])[]) {
    this.name = name;
    this.text = text;
    this.#rows = rows.map((row) => row.map(toBound));
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.changes = promise;
    this.#settle = { resolve, reject };
  }

  submit(connection: Connection): void {
    const { parsedStatements } = connection as Wire;
    connection.stream.cork();
    if (parsedStatements[this.name] === undefined) {
      connection.parse({ name: this.name, text: this.text, types: [] }, true);
    }
    for (const values of this.#rows) {
      connection.bind({ statement: this.name, values: [...values] }, true);
      connection.execute({ rows: '0' }, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#changed += Number(/(?<!\d)\d+$/.exec(text)?.[0] ?? 0);
  }

  handleError(error: unknown): void {
    this.#settle.reject(error);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.#changed);
  }

  // Statements that are run for many rows return none.
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}
