import type { CompiledQuery, QueryResult } from 'kysely';
import type { Bulk } from '../../engine/engine.ts';
import type { Target } from '../../engine/target-driver.ts';
import type { BulkStatements } from '../bulk.ts';
import { toResult } from '../database.ts';
import type { Connection, Patience, Reply } from './connection.ts';
import { refuseStream } from './write-handle.ts';

/**
 * Timeout, in milliseconds, for statements that the program itself writes. Such statements may sort
 * whole tables.
 */
const STATEMENT_MS = 30 * 60_000;
/**
 * Minimum number of new rows after which a table is analysed again for the planner. The table must
 * also have doubled.
 */
const GROWN_BY = 1_000;

/**
 * Runs work on a connection that sees the staging tables. With `makesTables`, the work may create
 * staging tables.
 */
type UseConnection = <A>(
  work: (connection: Connection) => Promise<A>,
  options?: { readonly makesTables: boolean },
) => Promise<A>;

/**
 * The handle that is passed to the work of stage(). Each query takes a connection and returns it
 * afterwards. Other work can use the connection between two queries.
 */
export class StageHandle implements Target, Bulk {
  readonly noTransaction = 'stage() has no transaction';
  readonly stream = refuseStream;
  readonly #use: UseConnection;
  readonly #bulks: BulkStatements;
  readonly #sizes: TableSizes;
  readonly #signal: AbortSignal | undefined;

  constructor(parts: {
    use: UseConnection;
    bulks: BulkStatements;
    sizes: TableSizes;
    signal: AbortSignal | undefined;
  }) {
    this.#use = parts.use;
    this.#bulks = parts.bulks;
    this.#sizes = parts.sizes;
    this.#signal = parts.signal;
  }

  async query<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    this.#signal?.throwIfAborted();
    const makesTables = sql.startsWith('CREATE ');
    const reply = await this.#use((connection) => this.#query(connection, sql, parameters), {
      makesTables,
    });
    return toResult<R>(reply);
  }

  async #query(
    connection: Connection,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<Reply> {
    if (/^(CREATE|DO|VACUUM) /.test(sql)) {
      await connection.run(sql, patience());
      this.#sizes.forget(sql);
      return { rows: [], changes: 0 };
    }
    if (sql.startsWith('DROP ')) this.#sizes.forget(sql);
    const done = await connection.query(sql, parameters, patience());
    await this.#sizes.recordSize(connection, sql, done.changes ?? 0);
    return done;
  }

  async run(statement: string, rows: readonly (readonly unknown[])[]): Promise<number> {
    this.#signal?.throwIfAborted();
    if (rows.length === 0) return 0;
    return this.#use(async (connection) => {
      await connection.run('BEGIN', patience());
      try {
        const changes = await this.#bulks.run(connection, statement, rows, patience);
        await connection.run('COMMIT', patience());
        await this.#sizes.recordSize(connection, statement, changes);
        return changes;
      } catch (error) {
        if (!connection.isLost) {
          await connection.run('ROLLBACK', patience()).catch(() => connection.destroy());
        }
        throw error;
      }
    });
  }
}

/**
 * Approximate numbers of rows in staging tables, which decide when a table is analysed again. The
 * server itself does not analyse tables as fast as staging tables are filled.
 */
export class TableSizes {
  readonly #tables = new Map<string, { rows: number; seen: number }>();

  /**
   * Records the number of rows that a statement added to a table. Analyses the table if there are
   * many new rows.
   */
  async recordSize(connection: Connection, statement: string, added: number): Promise<void> {
    const table = added > 0 ? /\bINSERT INTO "?(\w+)"?/i.exec(statement)?.[1] : undefined;
    if (table === undefined) return;
    const size = this.#tables.get(table) ?? { rows: 0, seen: 0 };
    size.rows += added;
    this.#tables.set(table, size);
    if (size.rows - size.seen < Math.max(GROWN_BY, size.seen)) return;
    await connection.run(`ANALYZE "${table}"`, patience());
    size.seen = size.rows;
  }

  /** Removes the numbers of all tables that a statement creates, empties or drops. */
  forget(statement: string): void {
    for (const [name] of statement.matchAll(/\w+/g)) this.#tables.delete(name);
  }
}

function patience(): Patience {
  return { until: performance.now() + STATEMENT_MS };
}
