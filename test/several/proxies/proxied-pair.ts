import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { writeBigDat } from '../../support/data/big-dat.ts';
import type { TestedDatabase } from '../../support/data/databases.ts';
import { freePort } from '../../support/free-port.ts';
import { logIn } from '../../support/http/client.ts';
import { type Program, useSandbox, waitForUrl } from '../../support/process.ts';
import { type ProxyKind, type RunningProxy, startProxy } from './start-proxy.ts';

/** Two instances of one catalogue behind a proxy. */
export interface ProxiedPair {
  readonly proxy: RunningProxy;
  /** Path of the data folder. */
  readonly data: string;
  /** Runs a statement on the database. */
  run(statement: string): Promise<void>;
  /** Token of the first admin. */
  readonly token: string;
  at(which: 0 | 1): Program;
  urlOf(which: 0 | 1): string;
  /** Starts an instance that has ended, on the same port. */
  restart(which: 0 | 1): Promise<void>;
}

/** Starts the pair with 20 releases. Stops everything after the test. See `startProxy`. */
export async function useProxiedPair(
  kind: ProxyKind,
  tested: TestedDatabase | undefined,
  scale = 1,
): Promise<ProxiedPair> {
  if (tested === undefined) throw new Error('there is no database');
  const database = await tested.make();
  onTestFinished(database.drop);
  const sandbox = await useSandbox(undefined, database.databaseUrl);
  const dat = join(sandbox.folder, 'releases.dat');
  await writeBigDat(dat, 20, { platform: 'Test - Pair' });
  const { code, stderr } = await sandbox.run(['import', dat]);
  if (code !== 0) throw new Error(stderr);
  const ports: [number, number] = [await freePort(), await freePort()];
  const instances: Program[] = [];
  const start = async (which: 0 | 1) => {
    const place = ['--host', '127.0.0.1', '--port', String(ports[which])];
    const args = ['serve', ...place, '--trusted-proxy', '127.0.0.1'];
    const program = sandbox.start(args, { CATALOG_ADMIN_PASSWORD: 'admin-password' });
    instances[which] = program;
    await waitForUrl(program);
  };
  await start(0);
  await start(1);
  const folder = await mkdtemp(join(tmpdir(), 'catalog-proxy-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const proxy = await startProxy(kind, folder, ports, scale);
  onTestFinished(() => proxy.stop());
  const urlOf = (which: 0 | 1) => `http://127.0.0.1:${ports[which]}`;
  return {
    proxy,
    data: sandbox.data,
    async run(statement) {
      if (database.databaseUrl === '') {
        const file = new Database(join(sandbox.data, 'catalog.db'));
        file.exec(statement);
        return void file.close();
      }
      const client = new pg.Client(database.databaseUrl);
      await client.connect();
      await client.query(statement).finally(() => client.end());
    },
    token: await logIn(urlOf(0)),
    at: (which) => instances[which] as Program,
    urlOf,
    restart: start,
  };
}
