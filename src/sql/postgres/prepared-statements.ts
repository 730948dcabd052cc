import type { Client, Connection, Submittable } from 'pg';

const mostKept = 200;

/** The statements that a session has prepared. */
export class PreparedStatements {
  readonly #client: Client;
  /** By text, their names; those that were used last at the end. */
  readonly #names = new Map<string, string>();
  #last = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** What a statement is prepared as. Of too many, the one that was not used for longest is forgotten. */
  nameOf(sql: string): string {
    let name = this.#names.get(sql);
    if (name === undefined) {
      this.#last += 1;
      name = `s${this.#last}`;
      this.#makeRoom();
    } else {
      this.#names.delete(sql); // put back as the newest
    }
    this.#names.set(sql, name);
    return name;
  }

  #makeRoom(): void {
    const [oldest] = this.#names;
    if (this.#names.size < mostKept || oldest === undefined) return;
    const [sql, name] = oldest;
    this.#names.delete(sql);
    this.#client.query(new Forgotten(name));
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
