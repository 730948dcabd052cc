import { LRUCache } from 'lru-cache';
import type { Client, Connection, Submittable } from 'pg';

const mostKept = 200;

/**
 * The statements that a session has prepared. Beyond the limit, the least recently used one is
 * closed.
 */
export class PreparedStatements {
  /** Statement names by text. */
  readonly #names: LRUCache<string, string>;
  #last = 0;

  constructor(client: Client) {
    this.#names = new LRUCache({
      max: mostKept,
      dispose: (name) => void client.query(new Forgotten(name)),
    });
  }

  /** Returns the name of the prepared statement with this text. */
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
 * Closes a prepared statement by a protocol message (PostgreSQL 15, 55.2.3). Unlike an SQL
 * statement, the message is not an error when there is no such statement; an error would end a
 * transaction.
 */
class Forgotten implements Submittable {
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

  // A lost session is reported by the next statement.
  handleError(): void {}
  handleReadyForQuery(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
}
