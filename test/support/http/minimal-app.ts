import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { LibraryItem } from '../../../src/core/library/library-file.ts';
import { emptyTexts } from '../../../src/core/shared/release-fields.ts';
import { createMinimalApi } from '../../../src/http/minimal-api/app.ts';
import { createLog } from '../../../src/program/log.ts';
import { readConfig } from '../../../src/settings/config.ts';
import type { Catalog } from '../../../src/wire/catalog.ts';
import { openCatalog } from '../../../src/wire/open-catalog.ts';
import { withDatabaseOf } from '../data/database-of.ts';
import { makeSuiteDatabase } from '../data/databases.ts';
import { placeDatabase } from '../data/new-catalogue.ts';
import { registerContract } from './contract.ts';

export interface MinimalApp {
  readonly app: FastifyInstance;
  readonly catalog: Catalog;
  /** Path of the data folder. */
  readonly data: string;
  /** URL of the database on a server, or "" if the database is in the data folder. */
  readonly database: string;
  /** URL on loopback, for example `http://127.0.0.1:40123`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Returns the items that the API lists instead of the library in the data folder. `refresh` is the
 * option of the request.
 */
export type ListLibrary = (options: { refresh: boolean }) => Promise<readonly LibraryItem[]>;

/**
 * Starts the real minimal API with a temporary data folder and a free port. With `existing`, uses
 * an existing data folder and database, and does not remove them.
 */
export async function startMinimalApp(
  options: {
    existing?: { data: string; database: string };
    env?: Record<string, string>;
    listLibrary?: ListLibrary;
  } = {},
): Promise<MinimalApp> {
  const { existing } = options;
  const data = existing?.data ?? (await mkdtemp(join(tmpdir(), 'catalog-minimal-')));
  const database =
    existing === undefined
      ? await makeSuiteDatabase()
      : { databaseUrl: existing.database, drop() {} };
  const config = readConfig(
    { data, 'log-level': 'silent' },
    { CATALOG_COVER_SOURCE: '', CATALOG_DATABASE: database.databaseUrl, ...options.env },
  );
  const log = createLog(config.logLevel);
  if (existing === undefined && database.databaseUrl === '')
    await placeDatabase(join(data, 'catalog.db'));
  const catalog = await openCatalog(config, log);
  const { listLibrary } = options;
  const library = listLibrary === undefined ? catalog.library : { list: listLibrary };
  const app = createMinimalApi(
    { ...catalog, library, apiToken: config.apiToken },
    {
      log,
      accessLog: true,
      basePath: config.basePath,
      publicUrls: config.publicUrls,
      trustedProxies: [],
      isStopping: () => false,
    },
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  if (config.basePath === '') registerContract(url, 'minimal');
  return {
    app,
    catalog,
    data,
    database: database.databaseUrl,
    url,
    async close() {
      app.server.closeAllConnections();
      await app.close();
      await catalog.close();
      await database.drop();
      if (existing === undefined) await rm(data, { recursive: true, force: true });
    },
  };
}

/**
 * Adds `count` releases of the system `many`. Their names contain quotes, characters outside ASCII,
 * and the letter x `padding` times. After 6,007 releases, the names repeat.
 */
export async function addReleases(app: MinimalApp, count: number, padding = 0): Promise<void> {
  await withDatabaseOf(app, (engine) =>
    engine.write(async (trx) => {
      for (let from = 0; from < count; from += 500) {
        const rows = Array.from({ length: Math.min(500, count - from) }, (_, i) => {
          const name = `${((from + i) * 7919) % 6007} "ア\u{1F600}" ${'x'.repeat(padding)}`;
          return { ...emptyTexts, system: 'many', name, region: 'A\\B\n' };
        });
        await trx.insertInto('release').values(rows).execute();
      }
    }),
  );
}
