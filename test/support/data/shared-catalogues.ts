import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, inject, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/settings/config.ts';
import type { Engine } from '../../../src/sql/engine/engine.ts';
import { openSqlite } from '../../../src/sql/sqlite/open.ts';
import type { Tables } from '../../../src/sql/tables.ts';
import type { Catalog } from '../../../src/wire/catalog.ts';
import { openCatalog } from '../../../src/wire/open-catalog.ts';
import { placeDatabase } from './new-catalogue.ts';

/**
 * An open catalogue without releases, files and records. Emptying the catalogue does not reset its
 * revisions and versions.
 */
export interface SharedCatalogue {
  readonly catalog: Catalog;
  /** A second engine for the catalogue's database. */
  readonly sql: Engine;
  /** Path of the folder that contains `data` and the files of the test. */
  readonly folder: string;
  readonly data: string;
  /** Removes everything that the test has added so far. */
  empty(): Promise<void>;
}

interface OpenCatalogue extends Omit<SharedCatalogue, 'empty'> {
  /** Names of all objects in the schema of the new database. */
  readonly schema: string;
  /** Names of the tables that have no rows in the new database. */
  readonly tables: readonly string[];
  /** Paths of the files in the data folder of the new catalogue. */
  readonly files: ReadonlySet<string>;
}

/**
 * Catalogues for the tests of one file. Opening a catalogue is slow because it starts threads. A
 * test therefore reuses the emptied catalogue of the previous test. A test that calls `lend` twice
 * gets two catalogues. Create an instance of this class when a file is loaded. If several test
 * files share the instance, its last catalogues end with the process.
 */
export class SharedCatalogues {
  readonly #idle: OpenCatalogue[] = [];
  readonly #options: (folder: string) => Readonly<Record<string, string>>;

  /**
   * `options` gets the folder of a catalogue and returns command-line options other than the data
   * folder.
   */
  constructor(options: (folder: string) => Readonly<Record<string, string>> = () => ({})) {
    this.#options = options;
    afterAll(async () => {
      await Promise.all(this.#idle.splice(0).map(close));
    });
  }

  /**
   * Lends a catalogue to this test. Afterwards the catalogue is emptied and reused.
   * The catalogue is closed instead if the test failed, because the test may still be using it. The
   * catalogue is also closed if the test changed the schema.
   */
  async lend(): Promise<SharedCatalogue> {
    const one = this.#idle.pop() ?? (await open(this.#options));
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail' || schemaOf(one) !== one.schema) return close(one);
      await empty(one);
      this.#idle.push(one);
    });
    return { ...one, empty: () => empty(one) };
  }
}

async function open(
  options: (folder: string) => Readonly<Record<string, string>>,
): Promise<OpenCatalogue> {
  const folder = await mkdtemp(join(inject('newCatalogues'), 'shared-'));
  const data = join(folder, 'data');
  const file = join(data, 'catalog.db');
  await placeDatabase(file);
  const config = readConfig({ data, 'log-level': 'silent', ...options(folder) }, {});
  const catalog = await openCatalog(config, { warn() {} });
  const sql = await openSqlite<Tables>(file);
  const opened = { catalog, sql, folder, data };
  const files = new Set(filesIn(data));
  return { ...opened, schema: schemaOf(opened), tables: emptyTables(opened), files };
}

async function close({ catalog, sql, folder }: OpenCatalogue): Promise<void> {
  await sql.close();
  await catalog.close();
  await rm(folder, { recursive: true, force: true });
}

/**
 * Restores the initial state of a catalogue. Does not reset the numbers by which caches notice
 * changes.
 */
async function empty({ folder, data, tables, files }: OpenCatalogue): Promise<void> {
  const left = [
    ...readdirSync(folder).filter((name) => name !== 'data'),
    ...filesIn(data)
      .filter((name) => !files.has(name) && !name.startsWith('catalog.db'))
      .map((name) => join('data', name)),
  ];
  for (const name of left) await rm(join(folder, name), { recursive: true, force: true });
  withDatabase({ data }, (database) => {
    database.pragma('foreign_keys = off');
    database.pragma('synchronous = off');
    database.transaction(() => {
      // delete twice, because triggers insert rows during the first deletion
      for (const table of [...tables, ...tables]) database.exec(`DELETE FROM "${table}"`);
    })();
  });
}

function filesIn(data: string): string[] {
  return existsSync(data) ? readdirSync(data, { recursive: true, encoding: 'utf8' }) : [];
}

function schemaOf(of: Pick<OpenCatalogue, 'data'>): string {
  return withDatabase(of, (database) =>
    database.prepare('SELECT name FROM sqlite_schema ORDER BY name').pluck().all().join(),
  );
}

/**
 * Returns the tables without rows in a new database, including the table of the last ids. Tables of
 * the text indexes are not included, because triggers maintain them.
 */
function emptyTables(of: Pick<OpenCatalogue, 'data'>): string[] {
  return withDatabase(of, (database) =>
    database
      .prepare<[], string>(
        `SELECT name FROM pragma_table_list
          WHERE schema = 'main' AND type = 'table' AND name <> 'sqlite_schema'`,
      )
      .pluck()
      .all()
      .filter((name) => database.prepare(`SELECT 1 FROM "${name}"`).get() === undefined),
  );
}

function withDatabase<T>(
  { data }: Pick<OpenCatalogue, 'data'>,
  work: (database: Database.Database) => T,
): T {
  const database = new Database(join(data, 'catalog.db'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}
