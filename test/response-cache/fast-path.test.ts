import { channel } from 'node:diagnostics_channel';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccountApi } from '../../src/http/account-api/app.ts';
import { createMinimalApi } from '../../src/http/minimal-api/app.ts';
import type { CompletedRequest } from '../../src/http/shared/server/request-log.ts';
import type { ServerOptions } from '../../src/http/shared/server/server.ts';
import { createLog } from '../../src/program/log.ts';
import { connect } from '../http-shared/server.ts';
import { importGames } from '../support/data/dats.ts';
import { startTestApp, type TestApp } from '../support/http/app.ts';
import { fetchResponse, listen, options } from './servers.ts';

let app: TestApp;
const closing: (() => Promise<void>)[] = [];
const lines: Record<string, unknown>[] = [];
const figures: CompletedRequest[] = [];
let isStopping = false;

/** Number of requests that the framework's handlers have processed. */
let handled = 0;
const count = () => {
  handled += 1;
};
const handlers = channel('tracing:fastify.request.handler:start');

beforeAll(async () => {
  app = await startTestApp();
  await importGames(app, ['One', 'Two']);
  handlers.subscribe(count);
});
afterAll(async () => {
  handlers.unsubscribe(count);
  for (const close of closing) await close();
  await app.close();
});
beforeEach(() => {
  handled = 0;
  lines.length = 0;
  figures.length = 0;
  isStopping = false;
});

/** Starts a separate server for the same catalogue. Returns its URL. */
async function start(
  api: 'account' | 'minimal',
  given: Partial<ServerOptions & { requireSignIn: boolean; corsOrigins: string[] }> = {},
): Promise<string> {
  const { requireSignIn = false, corsOrigins = [], ...more } = given;
  const all = {
    ...options,
    log: createLog('info', (line) => void lines.push(JSON.parse(line))),
    onRequestCompleted: (request: CompletedRequest) => void figures.push(request),
    isStopping: () => isStopping,
    ...more,
  };
  const { basePath } = all;
  const settings = {
    basePath,
    corsOrigins,
    requireSignIn,
    version: 'test',
    archiveSender: 'direct' as const,
  };
  const server =
    api === 'minimal'
      ? createMinimalApi({ ...app.catalog, apiToken: '' }, all)
      : await createAccountApi({ ...app.catalog, ...settings }, all);
  const url = await listen(server);
  closing.push(async () => {
    server.server.closeAllConnections();
    await server.close();
  });
  return url;
}

describe.each(['account', 'minimal'] as const)('an immediate response of the %s API', (api) => {
  test.each(['/api/releases?limit=1', '/api/releases/1'])(
    'equals the first response to %s, in the access log and the metrics too',
    async (path) => {
      const url = await start(api);
      await fetchResponse(url + path);
      lines.length = 0;
      figures.length = 0;
      handled = 0;
      const first = await fetchResponse(url + path);
      expect([first.status, handled]).toEqual([200, 1]);
      expect(await fetchResponse(url + path)).toEqual(first);
      const known = { 'if-none-match': first.headers.etag ?? '' };
      const unchanged = await fetchResponse(url + path, known);
      expect([unchanged.status, unchanged.body, handled]).toEqual([304, '', 1]);
      // The framework handles this request.
      const handledUnchanged = await fetchResponse(url + path, {
        ...known,
        'x-forwarded-for': '10.0.0.1',
      });
      expect([handledUnchanged, handled]).toEqual([unchanged, 2]);
      const [firstLine, ...others] = lines.map(({ time: _, ms: __, ...fields }) => fields);
      const names = new Set(lines.map(({ reqId }) => reqId));
      expect([others.length, names.size]).toEqual([3, 4]);
      const statuses = [200, 304, 304];
      others.forEach((line, index) => {
        expect(line).toEqual({ ...firstLine, reqId: line.reqId, status: statuses[index] });
      });
      expect(
        figures.map(({ route, method, status }) => [route.split('{')[0], method, status]),
      ).toEqual(
        [200, 200, 304, 304].map((status) => [
          path.startsWith('/api/releases/') ? '/api/releases/' : '/api/releases',
          'GET',
          status,
        ]),
      );
    },
  );

  test('is sent only for plain requests; other requests get their usual response', async () => {
    const url = await start(api);
    const path = `${url}/api/releases`;
    for (let turn = 0; turn < 3; turn += 1) await fetchResponse(path);
    expect(handled).toBe(2);
    const origin = await fetchResponse(path, { origin: 'https://other.example' });
    expect([origin.status, handled]).toEqual([200, 3]);
    const { port } = new URL(url);
    for (const [head, status] of [
      ['Host: x', 200],
      ['Host: x\r\nHost: y', 400],
      ['Host: x@y', 400],
      ['X: y', 400],
      ['Host: x\r\nExpect: z', 417],
      ['Host: x\r\nContent-Length: 3', 200],
    ] as const) {
      const { socket, closed } = connect(Number(port));
      socket.write(`GET /api/releases HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\nabc`);
      expect(await closed, head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    }
  });

  test('is not sent for an unknown host or while the server stops', async () => {
    const url = await start(api, { publicUrls: ['https://catalog.example'] });
    const path = `${url}/api/releases`;
    for (let turn = 0; turn < 2; turn += 1) await fetchResponse(path);
    expect((await fetchResponse(path, { host: 'catalog.example' })).status).toBe(200);
    expect(handled).toBe(2);
    expect((await fetchResponse(path, { host: 'evil.example' })).status).toBe(421);
    isStopping = true;
    expect((await fetchResponse(path)).status).toBe(503);
  });

  test('is sent below the base path of the server', async () => {
    const url = await start(api, { basePath: '/below' });
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await fetchResponse(`${url}/below/api/releases`)).status).toBe(200);
      expect((await fetchResponse(`${url}/api/releases`)).status).toBe(404);
    }
    expect(handled).toBe(2);
  });
});

describe('the response cache', () => {
  test('stores no responses that require sign-in or have library or cover data', async () => {
    const closed = await start('account', { requireSignIn: true });
    const token = { authorization: `Bearer ${app.adminToken}` };
    const signedIn = await fetchResponse(`${closed}/api/releases`, token);
    expect([signedIn.status, signedIn.headers['cache-control']]).toEqual([200, 'no-store']);
    for (let turn = 0; turn < 2; turn += 1)
      expect((await fetchResponse(`${closed}/api/releases`, token)).body).toBe(signedIn.body);
    expect((await fetchResponse(`${closed}/api/releases`)).status).toBe(401);
    const open = await start('account');
    expect((await fetchResponse(`${open}/api/releases?library=have`, token)).status).toBe(200);
    expect((await fetchResponse(`${open}/api/releases?library=have`)).status).toBe(401);
    handled = 0;
    for (let turn = 0; turn < 3; turn += 1)
      await fetchResponse(`${open}/api/releases?include=cover`);
    expect(handled).toBe(3);
  });

  test('names an allowed origin only in the response to that origin', async () => {
    const url = await start('account', { corsOrigins: ['https://a.example', 'https://b.example'] });
    const allowed = async (origin?: string) => {
      const { headers } = await fetchResponse(
        `${url}/api/releases`,
        origin === undefined ? {} : { origin },
      );
      return [headers['access-control-allow-origin'], headers.vary];
    };
    await allowed();
    const plain = await allowed();
    expect(plain[0]).toBeUndefined();
    expect((await allowed('https://a.example'))[0]).toBe('https://a.example');
    expect((await allowed('https://b.example'))[0]).toBe('https://b.example');
    expect(await allowed()).toEqual(plain);
  });
});
