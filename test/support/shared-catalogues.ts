import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Engine } from '../../src/sql/engine.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import type { Tables } from '../../src/sql/tables.ts';
import { type Catalog, openCatalog } from '../../src/wire.ts';
import { placeDatabase } from './new-catalogue.ts';

/**
 * An open catalogue without releases, files and records; its revisions and versions keep counting.
 */
export interface SharedCatalogue {
  readonly catalog: Catalog;
  /** A second engine over its database. */
  readonly sql: Engine;
  /** Holds `data` and the files of the test. */
  readonly folder: string;
  readonly data: string;
  /** Removes everything that the test has added so far. */
  empty(): Promise<void>;
}

interface Opened extends Omit<SharedCatalogue, 'empty'> {
  /** The names of everything in the schema of a new database. */
  readonly schema: string;
  /** Its tables without rows. */
  readonly tables: readonly string[];
  /** The files in the data folder. */
  readonly files: ReadonlySet<string>;
}

/**
 * Catalogues for the tests of one file. Opening one starts threads and is slow, so the next test
 * reuses the catalogue of the previous one, emptied. A test that takes two gets two. Create it when
 * the test file is loaded.
 */
export class SharedCatalogues {
  readonly #idle: Opened[] = [];
  readonly #options: (folder: string) => Readonly<Record<string, string>>;

  /**
   * `options` returns command-line options, other than the data folder, for the folder of a
   * catalogue.
   */
  constructor(options: (folder: string) => Readonly<Record<string, string>> = () => ({})) {
    this.#options = options;
    afterAll(async () => {
      await Promise.all(this.#idle.splice(0).map(close));
    });
  }

  /**
   * Lends a catalogue to this test. It is closed afterwards if the test failed, and may still be
   * using it, or changed the schema.
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
): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-shared-'));
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

async function close({ catalog, sql, folder }: Opened): Promise<void> {
  await sql.close();
  await catalog.close();
  await rm(folder, { recursive: true, force: true });
}

/** Restores its initial state, except for the numbers by which caches notice changes. */
async function empty({ folder, data, tables, files }: Opened): Promise<void> {
  const left = [
    ...readdirSync(folder).filter((name) => name !== 'data'),
    ...filesIn(data)
      .filter((name) => !files.has(name) && !name.startsWith('catalog.db'))
      .map((name) => join('data', name)),
  ];
  for (const name of left) await rm(join(folder, name), { recursive: true, force: true });
  within({ data }, (database) => {
    database.pragma('foreign_keys = off');
    database.pragma('synchronous = off');
    database.transaction(() => {
      // twice, because triggers insert rows during deletion
      for (const table of [...tables, ...tables]) database.exec(`DELETE FROM "${table}"`);
    })();
  });
}

function filesIn(data: string): string[] {
  return existsSync(data) ? readdirSync(data, { recursive: true, encoding: 'utf8' }) : [];
}

function schemaOf(of: Pick<Opened, 'data'>): string {
  return within(of, (database) =>
    database.prepare('SELECT name FROM sqlite_schema ORDER BY name').pluck().all().join(),
  );
}

/**
 * Returns the tables without rows, and the table of the last ids. Triggers maintain the tables of
 * the text indexes.
 */
function emptyTables(of: Pick<Opened, 'data'>): string[] {
  return within(of, (database) =>
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

function within<T>({ data }: Pick<Opened, 'data'>, work: (database: Database.Database) => T): T {
  const database = new Database(join(data, 'catalog.db'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}
