import { randomBytes } from 'node:crypto';
import type { Connection, Patience } from './connection.ts';
import { SqlError } from './errors.ts';

const prefix = 'catalog_staging_';
/** The first half of the advisory locks that say of a staging schema that its engine is there; the other is its name. */
const lockSpace = 1937006963;
const lockOf = `${lockSpace}, hashtext($1)`;
/** For making or dropping a schema. */
const SCHEMA_MS = 10_000;
const tryLock = `pg_try_advisory_lock(${lockOf})`;

/**
 * Where the staging tables of one engine are: in a schema of its own, without a log, so that every connection of the
 * engine sees them, previews and imports beside one another as well. Temporary tables would be seen by one connection
 * alone, which then does all staging and all that is written of it, one after the other, and are not read in parallel.
 *
 * A session that does nothing else holds a lock while the engine lives; whoever opens an engine drops the schemas that
 * nobody holds. A server that crashes empties tables without a log: then the schema is given up, so that what was staged
 * there is missed rather than taken for empty.
 */
export class Staging {
  readonly #open: () => Promise<Connection>;
  #schema: string | null = null;
  #holder: Connection | undefined;
  #making: Promise<void> | undefined;
  /** How many schemas there were. */
  #made = 0;

  constructor(open: () => Promise<Connection>) {
    this.#open = open;
  }

  /** Whether an error is of what was staged and is lost. */
  hasLost(error: unknown): boolean {
    const wasMissed = error instanceof SqlError && error.code === '42P01'; // undefined_table
    return wasMissed && this.#made > (this.#holder?.isLost ? 0 : 1);
  }

  /** Sees to it that there is a schema. Throws what opening a connection throws. */
  async ready(): Promise<void> {
    if (this.#holder && !this.#holder.isLost) return;
    this.#making ??= this.#make().finally(() => {
      this.#making = undefined;
    });
    await this.#making;
  }

  /** Has a connection look into the schema first, if there is one; returns whether it does. */
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
   * The same for whoever makes tables: one that looked into the schema before may do so in vain, and would make them beside
   * those of the catalogue.
   */
  async showForNew(connection: Connection): Promise<boolean> {
    if (!(await this.show(connection))) return false;
    const { schema = '' } = connection.staging ?? {};
    if (await isAlive(connection, schema)) return true;
    this.#giveUp(schema);
    return false;
  }

  /** Drops the schema, with all tables. */
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

/** A server that crashed since has emptied the table; one that was stopped has not. */
async function isAlive(
  connection: Connection,
  schema: string,
  patience?: Patience,
): Promise<boolean> {
  try {
    const { rows } = await connection.query(`SELECT here FROM ${schema}.alive`, [], patience);
    return rows.length > 0;
  } catch (error) {
    if (error instanceof SqlError) return false; // somebody dropped it
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

/** For what whoever stages, or closes, waits for. */
const soon = () => ({ until: performance.now() + SCHEMA_MS });
