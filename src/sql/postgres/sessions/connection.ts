import { Socket } from 'node:net';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { nextLimit } from '../../rows/next-limit.ts';
import { BulkRows } from '../bulk-rows.ts';
import { ConnectionLost, toError } from '../errors.ts';
import { parserOf, toBound } from '../values.ts';
import { PreparedStatements } from './prepared-statements.ts';

/** Number of rows in the first batch of a stream, and the maximum number in later batches. */
const BATCH_ROWS = { first: 50, max: 250 };
/**
 * Timeout for closing a stream, in ms. A server that does not confirm within this time has hung.
 */
const CLOSE_MS = 1_000;

/** The result of a statement. */
export interface Reply {
  readonly rows: Record<string, unknown>[];
  /**
   * Number of rows that were inserted, changed or removed. Undefined for a SELECT and for any other
   * statement that does not change rows.
   */
  readonly changes: number | undefined;
}

/**
 * The limits of the wait for a reply. `until` is a deadline by `performance.now()`. `signal` is
 * aborted when the client no longer waits.
 */
export interface Patience {
  readonly until: number;
  readonly signal?: AbortSignal | undefined;
}

/** Settings of a session, by name (PostgreSQL 15, chapter 20). */
export type Settings = Readonly<Record<string, string>>;

/**
 * A session on the server. The session runs one statement at a time, and prepares each statement
 * once. If a statement takes too long, the session is ended. The server then ends the statement,
 * whose outcome is unknown.
 */
export class Connection {
  readonly #client: pg.Client;
  readonly #socket: Socket;
  readonly #statements: PreparedStatements;
  #lost: Error | undefined;
  #onEnd: (() => void) | undefined;
  /** The statement timeout that the session has now, in ms; see `limitStatements`. */
  #statementMs = 0;
  /** True if the connection was used before. The server may have closed a used connection since. */
  wasUsed = false;
  /**
   * The schema with the staging tables that this session uses; see `Staging`. Null if the session
   * has not used staging tables.
   */
  staging: { readonly schema: string; readonly basePath: string } | null = null;

  private constructor(url: string, connectMs: number) {
    this.#socket = new Socket();
    this.#client = new pg.Client({
      connectionString: url,
      application_name: 'catalog',
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      stream: () => this.#socket,
      types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    });
    this.#statements = new PreparedStatements(this.#client);
    this.#client.on('error', (error) => this.#lose(error));
    this.#client.on('end', () => this.#lose(new Error('the connection has ended')));
  }

  /**
   * Opens a session within `connectMs`. Throws ConnectionLost if the server does not respond. Other
   * errors are translated by `toError`.
   */
  static async open(url: string, settings: Settings, connectMs: number): Promise<Connection> {
    const connection = new Connection(url, Math.max(1, Math.ceil(connectMs)));
    const patience = { until: performance.now() + connectMs };
    try {
      await connection.#runWithin(patience, () => connection.#connect());
      await connection.#set(settings, patience);
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  /** Calls `onEnd` once, as soon as the session has ended. */
  whenEnded(onEnd: () => void): void {
    if (this.isLost) onEnd();
    else this.#onEnd = onEnd;
  }

  /** Replaces all settings of the session, including those that statements have changed. */
  async replaceSettings(settings: Settings, patience: Patience): Promise<void> {
    await this.run('RESET ALL', patience);
    await this.#set(settings, patience);
    this.#statementMs = 0;
    this.staging = null;
  }

  async query(sql: string, params: readonly unknown[] = [], patience?: Patience): Promise<Reply> {
    const name = this.#statements.nameOf(sql);
    const values = params.map(toBound);
    const { command, rowCount, rows } = await this.#runWithin(patience, () =>
      this.#client.query<Record<string, unknown>>({ name, text: sql, values }),
    );
    const isChange = /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command);
    return { rows, changes: isChange ? (rowCount ?? 0) : undefined };
  }

  /**
   * Runs several statements without parameters in one message. Returns the command of the last
   * statement.
   */
  async run(statements: string, patience?: Patience): Promise<string | undefined> {
    const results: unknown = await this.#runWithin(patience, () => this.#client.query(statements));
    const last = Array.isArray(results) ? results.at(-1) : results;
    return (last as pg.QueryResult).command;
  }

  /**
   * Runs one statement for each row and returns the number of changed rows. All rows are sent
   * together. The placeholders of the statement are `$1`, `$2` and so on.
   */
  bulk(sql: string, rows: readonly (readonly unknown[])[], patience?: Patience): Promise<number> {
    const name = this.#statements.nameOf(sql);
    return this.#runWithin(patience, () => {
      const bulk = new BulkRows(name, sql, rows);
      this.#client.query(bulk);
      return bulk.changes;
    });
  }

  /** Returns the type names of a statement's placeholders. */
  async typesOf(sql: string, patience: Patience): Promise<string[]> {
    await this.bulk(sql, [], patience); // prepares the statement
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
   * Yields the rows of a SELECT in batches. A batch is fetched when the caller requests it. Each
   * fetch has the timeout `ms`.
   */
  async *stream(sql: string, params: readonly unknown[], ms: number): AsyncGenerator<Reply> {
    this.#checkLive();
    const values = params.map(toBound);
    const cursor = this.#client.query(new Cursor<Record<string, unknown>>(sql, values));
    try {
      for (let limit = BATCH_ROWS.first; ; ) {
        const patience = { until: performance.now() + ms };
        const rows = await this.#runWithin(patience, () => cursor.read(limit));
        if (rows.length > 0) yield { rows, changes: undefined };
        if (rows.length < limit) return;
        limit = Math.min(BATCH_ROWS.max, nextLimit(rows.map(Object.values)));
      }
    } finally {
      if (!this.isLost) await this.#close(cursor);
    }
  }

  /**
   * Sets the time, in ms, after which the server ends a statement of this session. A statement that
   * the server ends throws busy(). 0 means no limit.
   */
  async limitStatements(ms: number, patience?: Patience): Promise<void> {
    if (ms === this.#statementMs) return;
    await this.run(`SET statement_timeout = ${ms}`, patience);
    this.#statementMs = ms;
  }

  async end(): Promise<void> {
    if (this.isLost) return;
    const timer = setTimeout(() => this.destroy(), 1_000);
    await this.#client.end().catch(() => undefined);
    clearTimeout(timer);
  }

  /**
   * Ends the session by closing its connection, without a message to the server. Pending statements
   * get no reply.
   */
  destroy(reason: Error = new Error('the connection was ended')): void {
    this.#lose(reason);
    this.#socket.destroy();
  }

  /** Closes a cursor. The wait is limited, because a lost session never confirms the closing. */
  async #close(cursor: Cursor): Promise<void> {
    const { promise: isLate, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.destroy(new Error('the database server did not respond in time'));
      resolve();
    }, CLOSE_MS);
    await Promise.race([cursor.close().catch(() => undefined), isLate]);
    clearTimeout(timer);
  }

  async #connect(): Promise<void> {
    try {
      await this.#client.connect();
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) this.#lose(error as Error);
      throw error;
    }
  }

  #lose(reason: Error): void {
    this.#lost ??= reason;
    this.#onEnd?.();
    this.#onEnd = undefined;
  }

  /**
   * Changes settings of the session. Skips settings that this server does not know, because some
   * settings exist only in newer servers.
   */
  async #set(settings: Settings, patience: Patience): Promise<void> {
    const sql = `SELECT count(set_config(name, value, false))
      FROM unnest($1::text[], $2::text[]) AS setting (name, value)
      WHERE current_setting(name, true) IS NOT NULL`;
    const values = [Object.keys(settings), Object.values(settings)];
    await this.#runWithin(patience, () => this.#client.query(sql, values));
  }

  #checkLive(): void {
    if (this.#lost) throw new ConnectionLost('the connection to the database is lost', this.#lost);
  }

  async #runWithin<T>(patience: Patience | undefined, run: () => Promise<T>): Promise<T> {
    this.#checkLive();
    const stopWatching = this.#watch(patience);
    try {
      return await run();
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
    const tooLong = () => this.destroy(new Error('the database server did not respond in time'));
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
