/** @module-tag full */
import { describe, expect, onTestFinished, test } from 'vitest';
import { game, xml } from '../imports/support/dat-text.ts';
import { fileForm, logIn, sendRequest } from '../support/http/client.ts';
import { createRequester } from '../support/http/requester.ts';
import { tusClient } from '../support/http/tus.ts';
import { installation, makeServer } from '../support/postgres/own-server.ts';
import { startPooler } from '../support/postgres/pgbouncer.ts';
import { type Server, useSandbox } from '../support/process.ts';
import { toolsSkipReason } from '../support/tools.ts';

const skipReason = installation === undefined ? 'skipped: there is no PostgreSQL' : '';
const poolerSkipReason = skipReason || (toolsSkipReason('pgbouncer') ?? '');
const releases = Array.from({ length: 8 }, (_, at) => game(`Game ${at}`, `game ${at}`));
const turns = Array.from({ length: 5 }, (_, turn) => turn);

/** Starts a database server with this number of connections for ordinary users. */
async function useServer(connections: number) {
  const light = ['fsync = off', 'shared_buffers = 16MB'];
  const limits = [`max_connections = ${connections}`, 'superuser_reserved_connections = 0'];
  const server = await makeServer(installation, [...light, ...limits]);
  onTestFinished(() => server.remove());
  return server;
}

/** Imports the releases with a job, and returns the ids of the releases. */
async function importReleases(url: string, token: string): Promise<number[]> {
  const bytes = Buffer.from(xml(releases, 'Test - Console', '1'));
  const tus = tusClient(createRequester(url), token);
  const path = await tus.createUpload(bytes.length, { filename: 'a.dat', system: 'dats' });
  await tus.send(path, 0, bytes);
  const { id } = await tus.waitUntilChecked(path);
  await runJob(url, token, { kind: 'import', options: { uploads: [id] } });
  const { json } = await sendRequest(`${url}/api/releases`, { token });
  return json.items.map((item: { id: number }) => item.id);
}

/** Runs a job and waits until it is done. Returns the number of its attempts. */
async function runJob(url: string, token: string, json: object): Promise<number> {
  const started = await sendRequest(`${url}/api/jobs`, { token, json });
  expect(started).toMatchObject({ status: 200 });
  const job = `${url}/api/jobs/${started.json.id}`;
  const ended = async () => {
    const { json } = await sendRequest(job, { token });
    return [json.state, json.report?.error];
  };
  await expect.poll(ended).toEqual(['done', undefined]);
  return (await sendRequest(job, { token })).json.attempt;
}

/** Sends concurrent edits, reads and uploads to these servers. Returns the set of statuses. */
async function work(servers: readonly Server[], token: string, ids: readonly number[]) {
  const statuses: number[] = [];
  const one = async (at: number, id: number) => {
    const url = servers[at % servers.length]?.url ?? '';
    for (const turn of turns) {
      const json = { description: `${at} ${turn}` };
      const requests = [
        sendRequest(`${url}/api/releases/${id}`, { method: 'PATCH', token, json }),
        sendRequest(`${url}/api/releases?q=game+${turn}`, { token }),
      ];
      if (turn % 2 === 0) {
        const form = fileForm(`${at}.zip`, `${turn}`);
        requests.push(sendRequest(`${url}/api/store/upload`, { token, ...form }));
      }
      for (const { status } of await Promise.all(requests)) statuses.push(status);
    }
  };
  await Promise.all(ids.map((id, at) => one(at, id)));
  return new Set(statuses);
}

describe(`few connections to the database ${skipReason}`, () => {
  test.skipIf(skipReason)('cause no failed request if two instances share 12', async () => {
    const { databaseUrl } = await useServer(12);
    const sandbox = await useSandbox(undefined, databaseUrl);
    const servers = [await sandbox.serve(), await sandbox.serve()];
    const token = await logIn(servers[0]?.url ?? '');
    const ids = await importReleases(servers[0]?.url ?? '', token);
    expect(await work(servers, token, ids)).toEqual(new Set([200]));
    // The instances now hold all connections. The process of the job waits until some are closed.
    expect(await runJob(servers[0]?.url ?? '', token, { kind: 'verify' })).toBe(1);
  });

  test.skipIf(skipReason)('suffice for an instance with a job if each process has 3', async () => {
    const { databaseUrl } = await useServer(6);
    const sandbox = await useSandbox(undefined, databaseUrl);
    const server = await sandbox.serve(['--database-connections', '3']);
    const token = await logIn(server.url);
    const ids = await importReleases(server.url, token);
    const [statuses] = await Promise.all([
      work([server], token, ids),
      runJob(server.url, token, { kind: 'verify' }),
    ]);
    expect(statuses).toEqual(new Set([200]));
  });

  test.skipIf(poolerSkipReason).each([
    { clients: 30, title: 'in session mode' },
    { clients: 10, title: 'that accepts fewer clients than the servers may open' },
  ])(`are enough behind PgBouncer $title ${poolerSkipReason}`, async ({ clients }) => {
    const { databaseUrl } = await useServer(40);
    const pooler = await startPooler(databaseUrl, { sessions: 16, clients });
    onTestFinished(() => pooler.stop());
    const sandbox = await useSandbox(undefined, pooler.databaseUrl);
    // In session mode, PgBouncer reserves a session for each connection of a server. The job also
    // needs sessions, so start the second server after the job.
    const six = ['--database-connections', '6'];
    const first = await sandbox.serve(six);
    const token = await logIn(first.url);
    const ids = await importReleases(first.url, token);
    const servers = [first, await sandbox.serve(six)];
    expect(await work(servers, token, ids)).toEqual(new Set([200]));
  });
});
