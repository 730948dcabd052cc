import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import type { PartRevision } from '../../src/core/shared/requests/part-revision.ts';
import { createAccountApi } from '../../src/http/account-api/app.ts';
import { createMinimalApi } from '../../src/http/minimal-api/app.ts';
import type { ServerOptions } from '../../src/http/shared/server/server.ts';
import { createLog } from '../../src/program/log.ts';
import type { Catalog } from '../../src/wire/catalog.ts';
import type { Work } from './other-process.ts';

export const options: ServerOptions = {
  log: createLog('silent'),
  accessLog: true,
  basePath: '',
  publicUrls: [],
  trustedProxies: [],
  isStopping: () => false,
};

/** Starts both APIs for one catalogue. Both cache responses by this revision. */
export async function startServers(catalog: Catalog, catalogueRevision: PartRevision) {
  const parts = { ...catalog, catalogueRevision };
  const settings = {
    basePath: '',
    corsOrigins: [],
    requireSignIn: false,
    version: 'test',
    archiveSender: 'direct' as const,
  };
  const account = await createAccountApi({ ...parts, ...settings }, options);
  const minimal = createMinimalApi({ ...parts, apiToken: '' }, options);
  const urls = { account: await listen(account), minimal: await listen(minimal) };
  return {
    urls,
    async close() {
      for (const app of [account, minimal]) {
        app.server.closeAllConnections();
        await app.close();
      }
    },
  };
}

export async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** Returns a revision that differs on each read, so that no cached response is used. */
export function neverTheSame(): PartRevision {
  let last = 0;
  return {
    requiresQuery: false,
    known: () => undefined,
    current: async () => {
      last += 1;
      return last;
    },
  };
}

const agent = new Agent({ keepAlive: true });

/**
 * Returns the status, the body, and the headers that do not depend on the time and the connection.
 */
export async function fetchResponse(url: string, headers: Readonly<Record<string, string>> = {}) {
  const request = get(url, { agent, headers });
  const [response] = await once(request, 'response');
  const { date: _, ...fields } = response.headers;
  return { status: response.statusCode as number, body: await text(response), headers: fields };
}

/**
 * Starts a process that uses a data folder and, if set, a database server. When `work` resolves,
 * its change is committed.
 */
export async function startOtherProcess(data: string, database = '') {
  const child = fork(join(import.meta.dirname, 'other-process.ts'), [data, database]);
  await once(child, 'message');
  return {
    async work(work: Work) {
      child.send(work);
      await once(child, 'message');
    },
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
