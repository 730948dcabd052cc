import { randomBytes } from 'node:crypto';
import type { Connection, Patience } from './connection.ts';
import { SqlError } from './errors.ts';

const prefix = 'catalog_staging_';
/**
 * First half of the advisory lock that shows that the engine of a staging schema is alive. The
 * other half is a hash of the schema's name.
 */
const lockSpace = 1937006963;
const lockOf = `${lockSpace}, hashtext($1)`;
/** Time limit for creating or dropping a schema. */
const SCHEMA_MS = 10_000;
const tryLock = `pg_try_advisory_lock(${lockOf})`;

/**
 * The staging tables of one engine. They are unlogged tables in a separate schema, so that every
 * connection of the engine sees them, and previews and imports can run concurrently. Temporary
 * tables are visible to one connection only. That connection would have to do all staging, and all
 * writing from staged rows, one at a time. Temporary tables are not read in parallel either.
 *
 * A session that does nothing else holds a lock while the engine lives. Opening an engine drops the
 * schemas that no session holds. A server crash empties unlogged tables. The schema is then
 * abandoned, so that staged rows are reported missing instead of taken for empty tables.
 */
export class Staging {
  readonly #open: () => Promise<Connection>;
  #schema: string | null = null;
  #holder: Connection | undefined;
  #making: Promise<void> | undefined;
  /** How many schemas were created so far. */
  #made = 0;

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
  }

  /** Whether an error means that staged rows were lost. */
  hasLost(error: unknown): boolean {
    const wasMissed = error instanceof SqlError && error.code === '42P01'; // undefined_table
    return wasMissed && this.#made > (this.#holder?.isLost ? 0 : 1);
  }

  /** Makes sure that there is a schema. Throws the errors of opening a connection. */
  async ready(): Promise<void> {
    if (this.#holder && !this.#holder.isLost) return;
    this.#making ??= this.#make().finally(() => {
      this.#making = undefined;
    });
    await this.#making;
  }

  /**
   * Puts the schema first in a connection's search path, if there is one; returns whether it did.
   */
  async show(connection: Connection, patience?: Patience): Promise<boolean> {
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
   * Like show(), for statements that create tables. A connection may still have the path of a
   * schema that is gone, and would create the tables next to those of the catalogue.
   */
  async showForNew(connection: Connection): Promise<boolean> {
    if (!(await this.show(connection))) return false;
    const { schema = '' } = connection.staging ?? {};
    if (await isAlive(connection, schema)) return true;
    this.#giveUp(schema);
    return false;
  }

  /** Drops the schema with all its tables. */
  async close(): Promise<void> {
    await this.#making?.catch(() => undefined);
    const holder = this.#holder;
    if (!holder) return;
    if (this.#schema !== null) await drop(holder, this.#schema, soon()).catch(() => undefined);
    await holder.end();
  }

  async #make(): Promise<void> {
    await this.#holder?.end();
    const holder = await this.#open();
    try {
      const schema = `${prefix}${randomBytes(8).toString('hex')}`;
      await holder.query(`SELECT ${tryLock}`, [schema], soon());
      await holder.run(
        `CREATE SCHEMA ${schema}; CREATE UNLOGGED TABLE ${schema}.alive (here boolean);
          INSERT INTO ${schema}.alive VALUES (true)`,
        soon(),
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
 * Whether a schema still has its rows. A server crash since then has emptied the table; a normal
 * stop has not.
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
    if (error instanceof SqlError) return false; // another process dropped it
    throw error;
  }
}

/** Drops the schemas of engines that are gone. */
async function sweep(connection: Connection, own: string): Promise<void> {
  const { rows } = await connection.query(
    `SELECT nspname AS schema FROM pg_namespace
      WHERE starts_with(nspname, '${prefix}') AND nspname <> $1 AND pg_has_role(nspowner, 'USAGE')`,
    [own],
    soon(),
  );
  for (const { schema } of rows) {
    const isFree = `SELECT ${tryLock} AS "isFree"`;
    const { rows: tried } = await connection.query(isFree, [schema], soon());
    if (tried[0]?.isFree !== true) continue;
    await drop(connection, String(schema), soon());
    await connection.query(`SELECT pg_advisory_unlock(${lockOf})`, [schema], soon());
  }
}

async function drop(connection: Connection, schema: string, patience: Patience): Promise<void> {
  await connection.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`, [], patience);
}

/** The time limit for statements that staging or closing waits for. */
const soon = () => ({ until: performance.now() + SCHEMA_MS });
