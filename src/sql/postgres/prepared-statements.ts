import { LRUCache } from 'lru-cache';
import type { Client, Connection, Submittable } from 'pg';

const mostKept = 200;

/** The statements that a session has prepared. Of too many, the least recently used one is forgotten. */
export class PreparedStatements {
  /** Their names, by text. */
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

/** A message rather than a statement (PostgreSQL 15, 55.2.3): of one that is not there it is no error, which ends transactions. */
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

  // What is asked next is told when the session is lost.
  handleError(): void {}
  handleReadyForQuery(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
}
