import { Socket } from 'node:net';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { nextLimit } from '../rows/next-limit.ts';
import { BulkRows } from './bulk-rows.ts';
import { ConnectionLost, toError } from './errors.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { parserOf, toBound } from './values.ts';

/** Rows per batch of a stream. */
const BATCH_ROWS = { first: 50, most: 250 };
/** A server that does not confirm the end of a stream within this time has hung. */
const CLOSE_MS = 1_000;

/** The result of a statement. */
export interface Reply {
  readonly rows: Record<string, unknown>[];
  /** Number of rows inserted, changed or removed; undefined for a SELECT and other statements. */
  readonly changes: number | undefined;
}

/**
 * How long to wait for a reply: a deadline by `performance.now()`, and a signal that is aborted
 * when the client no longer waits.
 */
export interface Patience {
  readonly until: number;
  readonly signal?: AbortSignal | undefined;
}

/** Settings of a session (PostgreSQL 15, chapter 20), by name. */
export type Settings = Readonly<Record<string, string>>;

/**
 * One session. It runs statements one at a time, each prepared once. Giving up on a statement ends
 * the session: the server then ends the statement, and its outcome is unknown.
 */
export class Connection {
  readonly #client: pg.Client;
  readonly #socket: Socket;
  readonly #statements: PreparedStatements;
  #lost: Error | undefined;
  /** The current statement timeout of the session in ms; see `limitStatements`. */
  #statementMs = 0;
  /** Whether the connection was used before; the server may have closed it since. */
  wasUsed = false;
  /** The schema in which this session looks for staging tables; see `Staging`. */
  staging: { readonly schema: string; readonly basePath: string } | null = null;

  private constructor(address: string, connectMs: number) {
    this.#socket = new Socket();
    this.#client = new pg.Client({
      connectionString: address,
      application_name: 'catalog',
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      stream: () => this.#socket,
      types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    });
    this.#statements = new PreparedStatements(this.#client);
    this.#client.on('error', (error) => {
      this.#lost ??= error;
    });
    this.#client.on('end', () => {
      this.#lost ??= new Error('the connection has ended');
    });
  }

  /**
   * Connects within `connectMs`. Throws the error that `toError` makes of a failure, or
   * ConnectionLost when the server does not answer.
   */
  static async open(address: string, settings: Settings, connectMs: number): Promise<Connection> {
    const connection = new Connection(address, Math.max(1, Math.ceil(connectMs)));
    const patience = { until: performance.now() + connectMs };
    try {
      await connection.#within(patience, () => connection.#connect());
      // Applies only the settings that this server knows; newer servers know more.
      const sql = `SELECT count(set_config(name, value, false))
        FROM unnest($1::text[], $2::text[]) AS setting (name, value)
        WHERE current_setting(name, true) IS NOT NULL`;
      const values = [Object.keys(settings), Object.values(settings)];
      await connection.#within(patience, () => connection.#client.query(sql, values));
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  async query(sql: string, params: readonly unknown[] = [], patience?: Patience): Promise<Reply> {
    const name = this.#statements.nameOf(sql);
    const values = params.map(toBound);
    const { command, rowCount, rows } = await this.#within(patience, () =>
      this.#client.query<Record<string, unknown>>({ name, text: sql, values }),
    );
    const isChange = /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command);
    return { rows, changes: isChange ? (rowCount ?? 0) : undefined };
  }

  /**
   * Runs several statements without parameters in one message. Returns the command of the last one.
   */
  async run(statements: string, patience?: Patience): Promise<string | undefined> {
    const results: unknown = await this.#within(patience, () => this.#client.query(statements));
    const last = Array.isArray(results) ? results.at(-1) : results;
    return (last as pg.QueryResult).command;
  }

  /**
   * Runs one statement for each of the rows, sent together; its placeholders are `$1`, `$2`...
   * Returns how many rows were changed.
   */
  bulk(sql: string, rows: readonly (readonly unknown[])[], patience?: Patience): Promise<number> {
    const name = this.#statements.nameOf(sql);
    return this.#within(patience, () => {
      const bulk = new BulkRows(name, sql, rows);
      this.#client.query(bulk);
      return bulk.changes;
    });
  }

  /** Returns the names of the types of a statement's placeholders. */
  async typesOf(sql: string, patience: Patience): Promise<string[]> {
    await this.bulk(sql, [], patience); // prepares it
    const { rows } = await this.query(
      `SELECT CAST(type AS text) AS type FROM pg_prepared_statements AS prepared,
        unnest(prepared.parameter_types) WITH ORDINALITY AS place (type, number)
        WHERE prepared.name = $1 ORDER BY number`,
      [this.#statements.nameOf(sql)],
      patience,
    );
    return rows.map(({ type }) => String(type));
  }

  /**
   * Yields the rows of a SELECT in batches. Each batch is fetched once the previous one was taken,
   * within `ms`.
   */
  async *stream(sql: string, params: readonly unknown[], ms: number): AsyncGenerator<Reply> {
    this.#checkLive();
    const values = params.map(toBound);
    const cursor = this.#client.query(new Cursor<Record<string, unknown>>(sql, values));
    try {
      for (let limit = BATCH_ROWS.first; ; ) {
        const patience = { until: performance.now() + ms };
        const rows = await this.#within(patience, () => cursor.read(limit));
        if (rows.length > 0) yield { rows, changes: undefined };
        if (rows.length < limit) return;
        limit = Math.min(BATCH_ROWS.most, nextLimit(rows.map(Object.values)));
      }
    } finally {
      if (!this.isLost) await this.#close(cursor);
    }
  }

  /**
   * Makes the server end a statement of this session after `ms`, with an error that becomes busy();
   * 0 means no limit.
   */
  async limitStatements(ms: number, patience?: Patience): Promise<void> {
    if (ms === this.#statementMs) return;
    await this.run(`SET statement_timeout = ${ms}`, patience);
    this.#statementMs = ms;
  }

  async end(): Promise<void> {
    if (this.isLost) return;
    const hurry = setTimeout(() => this.destroy(), 1_000);
    await this.#client.end().catch(() => undefined);
    clearTimeout(hurry);
  }

  /** Ends the session without telling the server. Pending statements get no reply. */
  destroy(reason: Error = new Error('the connection was ended')): void {
    this.#lost ??= reason;
    this.#socket.destroy();
  }

  /** Closes a cursor. A lost session never confirms this, so the wait is limited. */
  async #close(cursor: Cursor): Promise<void> {
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const hurry = setTimeout(() => {
      this.destroy(new Error('the database did not answer in time'));
      resolve();
    }, CLOSE_MS);
    await Promise.race([cursor.close().catch(() => undefined), isLate]);
    clearTimeout(hurry);
  }

  async #connect(): Promise<void> {
    try {
      await this.#client.connect();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) this.#lost ??= error as Error;
      throw error;
    }
  }

  #checkLive(): void {
    if (this.#lost) throw new ConnectionLost('the connection to the database is lost', this.#lost);
  }

  async #within<T>(patience: Patience | undefined, ask: () => Promise<T>): Promise<T> {
    this.#checkLive();
    const stopWatching = this.#watch(patience);
    try {
      return await ask();
    } catch (error) {
      const translated = toError(error);
      if (translated instanceof ConnectionLost) this.destroy(translated);
      else if (this.#lost && translated === error) this.#checkLive();
      throw translated;
    } finally {
      stopWatching();
    }
  }

  #watch(patience: Patience | undefined): () => void {
    if (patience === undefined) return () => undefined;
    const { until, signal } = patience;
    const tooLong = () => this.destroy(new Error('the database did not answer in time'));
    const gone = () => this.destroy(new Error('nobody waits for the answer any more'));
    const timer = setTimeout(tooLong, Math.max(0, until - performance.now()));
    if (signal?.aborted) gone();
    else signal?.addEventListener('abort', gone);
    return () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', gone);
    };
  }
}
