import { cp, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createAccountApi } from '../../../src/http/account-api/app.ts';
import { createLog } from '../../../src/program/log.ts';
import { type Config, readConfig } from '../../../src/settings/config.ts';
import type { Catalog } from '../../../src/wire/catalog.ts';
import { openCatalog } from '../../../src/wire/open-catalog.ts';
import { makeSuiteDatabase } from '../data/databases.ts';
import { placeDatabase } from '../data/new-catalogue.ts';
import { programFile } from '../program-file.ts';
import { registerContract } from './contract.ts';

export interface TestApp {
  readonly app: FastifyInstance;
  readonly catalog: Catalog;
  /** Path of the data folder. */
  readonly data: string;
  /** URL of the database on a server, or "" if the database is in the data folder. */
  readonly database: string;
  /** URL on loopback, for example `http://127.0.0.1:40123`. */
  readonly url: string;
  /** A token of the account `admin`, which has the role admin and the password `admin-password`. */
  readonly adminToken: string;
  close(): Promise<void>;
}

/**
 * The cheapest setting for hashing passwords, because tests of an API do not need secure hashes.
 */
const hashCost = { memoryCost: 8, timeCost: 1 };

/**
 * Starts the real account API with a temporary data folder and a free port. `options` are
 * command-line options. With `filled`, the data folder is a copy of this folder, unless the suite
 * runs on PostgreSQL.
 */
export async function startTestApp(
  options: Record<string, string> = {},
  filled?: string,
): Promise<TestApp> {
  const data = await mkdtemp(join(tmpdir(), 'catalog-test-'));
  const database = await makeSuiteDatabase();
  const config: Config = readConfig(
    { data, 'log-level': 'silent', 'cover-source': '', 'catalogue-source': '', ...options },
    { CATALOG_DATABASE: database.databaseUrl },
  );
  const log = createLog(config.logLevel);
  if (database.databaseUrl === '') {
    if (filled === undefined) await placeDatabase(join(data, 'catalog.db'));
    else await cp(filled, data, { recursive: true });
  }
  const catalog = await openCatalog(config, log, { jobProgram: programFile, hashCost });
  await catalog.accounts.ensureAdmin('admin-password');
  const {
    basePath,
    corsOrigins,
    publicUrls,
    requireSignIn,
    downloads: archiveSender,
    trustedProxies,
  } = config;
  const app = await createAccountApi(
    { ...catalog, basePath, corsOrigins, requireSignIn, archiveSender, version: '0.0.0-test' },
    { log, accessLog: true, basePath, publicUrls, trustedProxies, isStopping: () => false },
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  if (basePath === '') registerContract(url, requireSignIn ? 'signedIn' : 'account');
  const login = await catalog.accounts.login(
    { username: 'admin', password: 'admin-password', kind: 'api' },
    '127.0.0.1',
  );
  return {
    app,
    catalog,
    data,
    database: database.databaseUrl,
    url,
    adminToken: login.token.value,
    async close() {
      app.server.closeAllConnections();
      await app.close();
      await catalog.close();
      await database.drop();
      await rm(data, { recursive: true, force: true });
    },
  };
}
