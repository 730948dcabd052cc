/** @module-tag full */
import { once } from 'node:events';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { type ClientHttp2Session, connect } from 'node:http2';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testedDatabases } from '../../support/data/databases.ts';
import { freeze } from '../../support/freeze.ts';
import { sendRequest } from '../../support/http/client.ts';
import { toolsSkipReason } from '../../support/tools.ts';
import { Load, mixed, reads, withUploads } from './load.ts';
import { useProxiedPair } from './proxied-pair.ts';
import { statesIn } from './start-proxy.ts';

const skipReason = toolsSkipReason('haproxy', 'openssl');
const database = testedDatabases().at(-1);

const edited = JSON.stringify({ region: 'Japan' });
const path = '/api/releases/4';
const headersFor = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
});

/** Sends an edit. Resolves to its status, or to the error. */
async function editOverHttp2(session: ClientHttp2Session, token: string): Promise<unknown> {
  const stream = session.request({
    ...{ ':method': 'PATCH', ':path': path },
    ...headersFor(token),
  });
  stream.end(edited).resume();
  return once(stream, 'response').then(
    ([headers]) => headers[':status'],
    (error: Error) => error.message,
  );
}

async function editOverHttp1(origin: string, token: string, agent: Agent): Promise<unknown> {
  const sent = request(origin + path, { agent, method: 'PATCH', headers: headersFor(token) });
  sent.end(edited);
  return once(sent, 'response').then(
    ([response]) => response.resume().statusCode,
    (error: Error) => error.message,
  );
}

describe.skipIf(skipReason !== null)(`HAProxy before two instances ${skipReason ?? ''}`, () => {
  test('completes each GET in 22 s while an instance is frozen, which logs this', async () => {
    const { proxy, token, at } = await useProxiedPair('haproxy', database);
    const load = new Load(proxy.origin, token);
    load.start(6, reads);
    await expect.poll(() => load.ended.length).toBeGreaterThan(100);
    await freeze(at(0).pid);
    await expect.poll(() => statesIn(proxy, 'healthy')).toEqual(['DOWN', 'UP']);
    const count = load.ended.length;
    await expect.poll(() => load.ended.length).toBeGreaterThan(count + 100);
    const failed = await load.end(); // HAProxy repeats requests at the frozen instance after 20 s
    at(0).kill('SIGCONT');
    expect(failed).toEqual([]);
    expect(load.longestMs).toBeLessThan(22_000);
    await expect.poll(() => at(0).stderr).toContain('this process stood still');
    await expect.poll(() => statesIn(proxy, 'healthy')).toEqual(['UP', 'UP']);
  }, 120_000);

  test('completes each GET in 3 s when one instance is killed', async () => {
    const { proxy, token, at } = await useProxiedPair('haproxy', database);
    const load = new Load(proxy.origin, token);
    load.start(6, reads);
    await expect.poll(() => load.ended.length).toBeGreaterThan(100);
    at(0).kill('SIGKILL');
    await expect.poll(() => statesIn(proxy, 'healthy')).toEqual(['DOWN', 'UP']);
    const count = load.ended.length;
    await expect.poll(() => load.ended.length).toBeGreaterThan(count + 100);
    expect(await load.end()).toEqual([]);
    expect(load.longestMs).toBeLessThan(3_000);
  }, 120_000);

  test('responds with 502 to a write whose instance is killed', async () => {
    const { proxy, token, at } = await useProxiedPair('haproxy', database);
    const session = connect(proxy.origin, { rejectUnauthorized: false });
    onTestFinished(() => session.destroy());
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    onTestFinished(() => agent.destroy());
    const clients = [
      () => editOverHttp2(session, token),
      () => editOverHttp1(proxy.origin, token, agent),
    ];
    for (const edit of clients) expect(await edit()).toBe(200);
    await freeze(at(0).pid, at(1).pid);
    const edits = [...clients, ...clients].map((edit) => edit());
    // each request waits at a frozen instance
    await expect.poll(() => statesIn(proxy, 'ready', 'scur')).toEqual(['2', '2']);
    for (const which of [0, 1] as const) at(which).kill('SIGKILL');
    expect(await Promise.all(edits)).toEqual([502, 502, 502, 502]);
  }, 120_000);

  test('responds to a connected client while idle clients hold all other connections', async () => {
    // Scaled down, HAProxy accepts 200 connections, at most 9 of them from clients.
    const { proxy, token } = await useProxiedPair('haproxy', database, 1 / 40);
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    onTestFinished(() => agent.destroy());
    const edit = () => editOverHttp1(proxy.origin, token, agent);
    expect(await edit()).toBe(200);
    let accepted = 0;
    for (let count = 0; count < 30; count += 1) {
      const port = Number(new URL(proxy.origin).port);
      const idle = connectTls({ port, rejectUnauthorized: false }, () => {
        accepted += 1;
      });
      onTestFinished(() => void idle.on('error', () => undefined).destroy());
    }
    await expect.poll(() => accepted).toBe(8);
    expect([await edit(), await edit()]).toEqual([200, 200]);
  }, 120_000);

  test('lets only the user of HAProxy open the socket between its frontends', async () => {
    const { proxy } = await useProxiedPair('haproxy', database);
    expect((await stat(proxy.innerSocket)).mode & 0o777).toBe(0o600);
  }, 120_000);

  test('sends requests to unready or unhealthy instances if there are no others', async () => {
    const { proxy, token, data, run, urlOf } = await useProxiedPair('haproxy', database);
    const works = async () => {
      const load = new Load(proxy.origin, token);
      load.start(1, mixed);
      await expect.poll(() => load.ended.length).toBeGreaterThan(10);
      expect(await load.end()).toEqual([]);
    };
    const tmp = join(data, 'tmp');
    await rename(tmp, `${tmp}-away`);
    await writeFile(tmp, '');
    await expect.poll(() => statesIn(proxy, 'ready')).toEqual(['DOWN', 'DOWN']);
    expect(await statesIn(proxy, 'healthy')).toEqual(['UP', 'UP']);
    await works();
    await rm(tmp);
    await rename(`${tmp}-away`, tmp);
    await expect.poll(() => statesIn(proxy, 'ready')).toEqual(['UP', 'UP']);
    await run('UPDATE schema_version SET version = version + 1');
    await expect.poll(() => statesIn(proxy, 'healthy')).toEqual(['DOWN', 'DOWN']);
    const responses = ['health', 'health/ready'].map((path) =>
      sendRequest(`${urlOf(0)}/api/${path}`),
    );
    expect((await Promise.all(responses)).map(({ status, json }) => [status, json])).toEqual([
      [503, { detail: 'another schema version' }],
      [503, { detail: 'not ready', not_ready: ['schema'] }],
    ]);
    await works();
  }, 120_000);

  test('fails none of 5,000 requests while the instances restart one after another', async () => {
    const { proxy, token, at, restart } = await useProxiedPair('haproxy', database);
    const load = new Load(proxy.origin, token);
    load.start(6, withUploads);
    for (let restarts = 0; restarts < 6 || load.ended.length < 5_000; restarts += 1) {
      const which = restarts % 2 === 0 ? 0 : 1;
      const count = load.ended.length;
      await expect.poll(() => load.ended.length).toBeGreaterThan(count + 100);
      at(which).kill('SIGTERM');
      expect((await at(which).ended).code).toBe(0);
      await restart(which);
      await expect.poll(() => statesIn(proxy, 'ready')).toEqual(['UP', 'UP']);
    }
    const failed = await load.end();
    // on a busy machine, the database may take too long
    expect(failed.filter(({ outcome }) => outcome !== 'busy')).toEqual([]);
  }, 900_000);
});
