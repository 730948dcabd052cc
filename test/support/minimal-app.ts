import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { readConfig } from '../../src/config.ts';
import type { LibraryItem } from '../../src/core/library/library-file.ts';
import { createMinimalApi } from '../../src/http/minimal-api/app.ts';
import { createLog } from '../../src/log.ts';
import { openSqlite } from '../../src/sql/sqlite/open.ts';
import type { Tables } from '../../src/sql/tables.ts';
import { type Catalog, openCatalog } from '../../src/wire.ts';
import { documentServer } from './contract.ts';

export interface MinimalApp {
  readonly app: FastifyInstance;
  readonly catalog: Catalog;
  /** The data folder. */
  readonly data: string;
  /** Where it listens on loopback, e.g. `http://127.0.0.1:40123`. */
  readonly url: string;
  close(): Promise<void>;
}

/** What is listed in the place of the data folder's library; `refresh` tells how it was asked. */
export type ListLibrary = (options: { refresh: boolean }) => Promise<readonly LibraryItem[]>;

/** The real minimal API on a free port, on a temporary data folder, or on `data`, which then stays. */
export async function startMinimalApp(
  options: { data?: string; env?: Record<string, string>; listLibrary?: ListLibrary } = {},
): Promise<MinimalApp> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'catalog-minimal-')));
  const config = readConfig(
    { data, 'log-level': 'silent' },
    { CATALOG_COVER_SOURCE: '', ...options.env },
  );
  const log = createLog(config.logLevel);
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
  if (config.basePath === '') documentServer(url, 'minimal');
  return {
    app,
    catalog,
    data,
    url,
    async close() {
      app.server.closeAllConnections();
      await app.close();
      await catalog.close();
      if (options.data === undefined) await rm(data, { recursive: true, force: true });
    },
  };
}

/** Adds `count` releases of the system `many`, with names of some 40 characters more than `padding`; names repeat. */
export async function addReleases(data: string, count: number, padding = 0): Promise<void> {
  const sql = await openSqlite<Tables>(join(data, 'catalog.db'));
  try {
    await sql.write(async (trx) => {
      for (let from = 0; from < count; from += 500) {
        const rows = Array.from({ length: Math.min(500, count - from) }, (_, i) => {
          const name = `${((from + i) * 7919) % 6007} "ア\u{1F600}" ${'x'.repeat(padding)}`;
          return { system: 'many', name, region: 'A\\B\n', serial: '', description: '' };
        });
        await trx.insertInto('release').values(rows).execute();
      }
    });
  } finally {
    await sql.close();
  }
}
