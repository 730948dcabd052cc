import { randomBytes } from 'node:crypto';
import { SqlError } from '../errors.ts';
import type { Connection, Patience } from './connection.ts';

const prefix = 'catalog_staging_';
/**
 * First half of the key of an advisory lock. An engine keeps the lock until the engine is closed.
 * The second half of the key is a hash of the name of the engine's staging schema.
 */
const lockSpace = 1937006963;
const lockOf = `${lockSpace}, hashtext($1)`;
/** Timeout for creating or dropping a schema, in ms. */
const SCHEMA_MS = 10_000;
const tryLock = `pg_try_advisory_lock(${lockOf})`;

/**
 * The staging tables of one engine. They are unlogged tables in a separate schema. All connections
 * of the engine see these tables, so previews and imports can run concurrently. Temporary tables
 * would be visible to one connection only. All staging, and all writing from staged rows, would
 * have to run on this connection, one at a time. PostgreSQL also does not read temporary tables in
 * parallel.
 *
 * A separate session locks the schema until the engine is closed. When an engine creates its
 * schema, it drops all staging schemas that are not locked.
 *
 * A server crash empties unlogged tables. The engine then abandons the schema and reports that the
 * staged rows are missing. Otherwise the empty tables would be mistaken for the result of staging.
 */
export class Staging {
  readonly #open: () => Promise<Connection>;
  #schema: string | null = null;
  #holder: Connection | undefined;
  #making: Promise<void> | undefined;
  /** Number of schemas that were created so far. */
  #made = 0;

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
  }

  /** Returns true if an error was caused by the loss of staged rows. */
  isLossError(error: unknown): boolean {
    const wasMissed = error instanceof SqlError && error.code === '42P01'; // undefined_table
    return wasMissed && this.#made > (this.#holder?.isLost ? 0 : 1);
  }

  /**
   * Creates a staging schema if the engine has none. Throws the same errors as opening a
   * connection.
   */
  async ready(): Promise<void> {
    if (this.#holder && !this.#holder.isLost) return;
    this.#making ??= this.#createSchema().finally(() => {
      this.#making = undefined;
    });
    await this.#making;
  }

  /**
   * Puts the staging schema first in the search path of a connection. Returns false if the engine
   * has no staging schema, or if the schema has lost its rows.
   */
  async exposeTo(connection: Connection, patience?: Patience): Promise<boolean> {
    const schema = this.#holder?.isLost ? null : this.#schema;
    if (schema === null) return false;
    if (connection.staging?.schema === schema) return true;
    if (!(await isAlive(connection, schema, patience))) {
      this.#giveUp(schema);
      return false;
    }
    const { rows } = await connection.query(
      `SELECT coalesce($2, current_setting('search_path')) AS base,
        set_config('search_path', $1 || ', ' || coalesce($2, current_setting('search_path')), false)`,
      [schema, connection.staging?.basePath],
      patience,
    );
    connection.staging = { schema, basePath: String(rows[0]?.base) };
    return true;
  }

  /**
   * Like `exposeTo`, but for statements that create tables. Also checks that the schema still
   * exists. If the schema is missing, the tables would be created in the next schema of the search
   * path, which contains the catalogue.
   */
  async exposeForCreate(connection: Connection): Promise<boolean> {
    if (!(await this.exposeTo(connection))) return false;
    const { schema = '' } = connection.staging ?? {};
    if (await isAlive(connection, schema)) return true;
    this.#giveUp(schema);
    return false;
  }

  /** Drops the staging schema with all its tables, and ends the session that keeps the lock. */
  async close(): Promise<void> {
    await this.#making?.catch(() => undefined);
    const holder = this.#holder;
    if (!holder) return;
    if (this.#schema !== null)
      await drop(holder, this.#schema, schemaLimits()).catch(() => undefined);
    await holder.end();
  }

  async #createSchema(): Promise<void> {
    await this.#holder?.end();
    const holder = await this.#open();
    try {
      const schema = `${prefix}${randomBytes(8).toString('hex')}`;
      await holder.query(`SELECT ${tryLock}`, [schema], schemaLimits());
      await holder.run(
        `CREATE SCHEMA ${schema}; CREATE UNLOGGED TABLE ${schema}.alive (here boolean);
          INSERT INTO ${schema}.alive VALUES (true)`,
        schemaLimits(),
      );
      await sweep(holder, schema);
      this.#schema = schema;
      this.#holder = holder;
      this.#made += 1;
    } catch (error) {
      await holder.end();
      throw error;
    }
  }

  #giveUp(schema: string): void {
    if (this.#schema === schema) this.#holder?.destroy();
  }
}

/**
 * Returns true if a staging schema still has its rows. PostgreSQL empties unlogged tables, such as
 * `alive`, when it recovers from a crash, but not after a normal stop.
 */
async function isAlive(
  connection: Connection,
  schema: string,
  patience?: Patience,
): Promise<boolean> {
  try {
    const { rows } = await connection.query(`SELECT here FROM ${schema}.alive`, [], patience);
    return rows.length > 0;
  } catch (error) {
    if (error instanceof SqlError) return false; // another process dropped the schema
    throw error;
  }
}

/** Drops the staging schemas of engines that no longer run. */
async function sweep(connection: Connection, own: string): Promise<void> {
  const { rows } = await connection.query(
    `SELECT nspname AS schema FROM pg_namespace
      WHERE starts_with(nspname, '${prefix}') AND nspname <> $1 AND pg_has_role(nspowner, 'USAGE')`,
    [own],
    schemaLimits(),
  );
  for (const { schema } of rows) {
    const isFree = `SELECT ${tryLock} AS "isFree"`;
    const { rows: tried } = await connection.query(isFree, [schema], schemaLimits());
    if (tried[0]?.isFree !== true) continue;
    await drop(connection, String(schema), schemaLimits());
    await connection.query(`SELECT pg_advisory_unlock(${lockOf})`, [schema], schemaLimits());
  }
}

async function drop(connection: Connection, schema: string, patience: Patience): Promise<void> {
  await connection.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`, [], patience);
}

/** Returns the deadline for a statement that staging or closing waits for. */
const schemaLimits = () => ({ until: performance.now() + SCHEMA_MS });
