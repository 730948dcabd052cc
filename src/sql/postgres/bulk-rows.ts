import type { Connection, Submittable } from 'pg';
import { toBound } from './values.ts';

/**
 * Adds a property that the types of `pg` omit. `parsedStatements` maps the name of each prepared
 * statement to its text.
 */
type Wire = Connection & { readonly parsedStatements: Readonly<Record<string, string>> };

/**
 * Runs a prepared statement for many rows of parameters. All rows are sent without waiting for
 * replies between the rows (PostgreSQL 15, 55.2.3). Outside of a transaction, all rows together
 * form one transaction.
 */
export class BulkRows implements Submittable {
  /**
   * The name and the text of the prepared statement. `pg` reads both properties to record its
   * prepared statements.
   */
  readonly name: string;
  readonly text: string;
  /** Resolves to the number of changed rows, once the server has processed all rows. */
  readonly changes: Promise<number>;
  /**
   * The rows in the format of the server. All rows are converted before anything is sent. Otherwise
   * an invalid value could leave an incomplete message, and later statements would wait for its
   * end.
   */
  readonly #rows: readonly (readonly ReturnType<typeof toBound>[])[];
  #changed = 0;
  #deferred: { resolve: (changes: number) => void; reject: (error: unknown) => void };

  constructor(name: string, text: string, rows: readonly (readonly unknown[])[]) {
    this.name = name;
    this.text = text;
    this.#rows = rows.map((row) => row.map(toBound));
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.changes = promise;
    this.#deferred = { resolve, reject };
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
    this.#deferred.reject(error);
  }

  handleReadyForQuery(): void {
    this.#deferred.resolve(this.#changed);
  }

  // Statements that are run for many rows return no rows, so these handlers do nothing.
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}
