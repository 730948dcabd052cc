import { LRUCache } from 'lru-cache';
import type { Client, Connection, Submittable } from 'pg';

const maxStatements = 200;

/**
 * The prepared statements of a session. If there are more than `maxStatements`, the least recently
 * used statement is closed.
 */
export class PreparedStatements {
  /** For each statement text, the name of its prepared statement. */
  readonly #names: LRUCache<string, string>;
  #last = 0;

  constructor(client: Client) {
    this.#names = new LRUCache({
      max: maxStatements,
      dispose: (name) => void client.query(new CloseStatement(name)),
    });
  }

  /**
   * Returns the name for the prepared statement with this text; assigns a new name to a new text.
   */
  nameOf(sql: string): string {
    const known = this.#names.get(sql);
    if (known !== undefined) return known;
    this.#last += 1;
    const name = `s${this.#last}`;
    this.#names.set(sql, name);
    return name;
  }
}

/**
 * Closes a prepared statement by a protocol message (PostgreSQL 15, 55.2.3). The message causes no
 * error if the prepared statement does not exist. An SQL statement would cause an error, which
 * would end a transaction.
 */
class CloseStatement implements Submittable {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  submit(connection: Connection): void {
    const { parsedStatements } = connection as Connection & {
      readonly parsedStatements: Record<string, string>;
    };
    delete parsedStatements[this.#name];
    connection.close({ type: 'S', name: this.#name }, true);
    connection.sync();
  }

  // If the session is lost, the next statement reports the error.
  handleError(): void {}
  handleReadyForQuery(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
}
