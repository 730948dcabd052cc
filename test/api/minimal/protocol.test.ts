import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { type MinimalApp, startMinimalApp } from '../../support/http/minimal-app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../support/http/requester.ts';

let app: MinimalApp;
let request: Requester;
const pretty = (value: unknown) => JSON.stringify(value, null, 2);
const statusAndText = ({ status, text }: TestResponse) => [status, text];
const notFound = [404, pretty({ error: 'not found' })];

beforeAll(async () => {
  app = await startMinimalApp();
  request = createRequester(app.url);
  await importGames(app as never, ['One']);
});
afterAll(() => app.close());

const paths = [
  '/',
  '/api/summary',
  '/api/releases',
  '/api/releases/1',
  '/api/library',
  '/api/cover/1',
  '/api/store',
  '/api/store/download/x',
  '/api/covers/x.zip',
];

describe('the minimal API', () => {
  test('returns its name and nine endpoints for GET / (endpoint 1), byte for byte', async () => {
    const response = await request('GET', '/');
    const endpoints = [
      'GET /',
      'GET /api/summary',
      'GET /api/releases',
      'GET /api/releases/{id}',
      'GET /api/library',
      'GET /api/cover/{id}',
      'GET /api/store',
      'GET /api/store/download/{name}',
      'GET /api/covers/{name}.zip',
    ];
    expect(statusAndText(response)).toEqual([200, pretty({ name: 'Catalog', endpoints })]);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  describe.each(paths)('path %s', (path) => {
    test('ignores a trailing slash, also before a query', async () => {
      const plain = await request('GET', path);
      expect(statusAndText(await request('GET', `${path}/`))).toEqual(statusAndText(plain));
      expect(statusAndText(await request('GET', `${path}/?x=1`))).toEqual(statusAndText(plain));
    });

    test('sends for HEAD the status and headers of GET, and no body', async () => {
      const [get, head] = [await request('GET', path), await request('HEAD', path)];
      const { date: _, ...headers } = get.headers;
      expect(head.headers).toMatchObject(headers);
      expect([head.status, head.body.length]).toEqual([get.status, 0]);
    });

    test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
      'refuses %s with 405 and Allow, also with a trailing slash and a body',
      async (method) => {
        for (const url of [path, path === '/' ? path : `${path}/`]) {
          const response = await request(method, url, { json: { x: 1 } });
          expect(statusAndText(response)).toEqual([405, pretty({ error: 'method not allowed' })]);
          expect(response.headers.allow).toBe('GET, HEAD');
        }
      },
    );

    test('sends headers that forbid sniffing and framing, and the `Referer`', async () => {
      expect((await request('GET', path)).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
    });
  });

  test.each([
    '/x',
    '/api',
    '/api/',
    '/API/summary',
    '/api/summary/x',
    '/api/summary//',
    '/api//summary',
    '//api/summary',
    '/api/./summary',
    '/api/x/../summary',
    '/api/releases/1/roms',
    '/api/stats',
    '/api/users',
    '/api/auth/me',
    '/api/health',
    '/api/docs',
    '/api/openapi.json',
    '/api/cover',
    '/api/cover/1.png',
    '/api/cover/x',
    '/api/cover/-1',
    '/api/covers',
    '/api/covers/x',
    '/api/store/download',
    '/api/store/download/',
    '/api/store/download/games/x',
    '/api/store/x',
    '/index.html',
  ])('responds to the unknown path %s with 404, whatever the method', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await request(method, path);
      expect(statusAndText(response)).toEqual(notFound);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    }
    expect((await request('HEAD', path)).status).toBe(404);
  });

  test('refuses a path that cannot be decoded with a JSON error', async () => {
    for (const path of ['/api/%zz', '/api/store/download/%', '/%c0%ae']) {
      const response = await request('GET', path);
      expect([400, 404]).toContain(response.status);
      expect(response.text).toBe(pretty({ error: response.json.error }));
      expect(Object.keys(response.json)).toEqual(['error']);
    }
  });

  test('refuses bytes that are not HTTP with a JSON error', async () => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1').setEncoding('utf8');
    socket.write('no HTTP at all\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text.split('\r\n\r\n')[1]).toBe(pretty({ error: 'bad request' }));
  });

  test('reports an unexpected error as `internal error`, and a busy server as `busy`', async () => {
    const broken = await startMinimalApp({
      listLibrary: async ({ refresh }) => {
        if (refresh) throw Object.assign(new Error('secret'), { statusCode: 418 });
        throw (await import('../../../src/core/shared/errors.ts')).busy();
      },
    });
    const failing = createRequester(broken.url);
    const response = await failing('GET', '/api/library?refresh=1');
    expect(statusAndText(response)).toEqual([500, pretty({ error: 'internal error' })]);
    const busy = await failing('GET', '/api/library');
    expect(statusAndText(busy)).toEqual([503, pretty({ error: 'busy' })]);
    expect(busy.headers['retry-after']).toBe('1');
    await broken.close();
  });
});
