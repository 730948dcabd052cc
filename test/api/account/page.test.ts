import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from '../../../src/http/page/page-files.ts';
import { contentPolicy } from '../../../src/http/page/serve-page.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';

let app: TestApp;
let index: string;
beforeAll(async () => {
  app = await startTestApp();
  index = (await get('/')).body.toString();
});
afterAll(() => app.close());

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends a request. The path is sent unchanged. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.url);
    const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(pieces),
        }),
      );
    });
    sent.on('error', reject).end();
  });
}

const script = () => /\/_app\/immutable\/entry\/start\.[^"]+\.js/.exec(index)?.[0] ?? '';

describe('the page server', () => {
  test('allows only workers to compile WebAssembly', async () => {
    const files = readPage();
    const [worker = ''] = [...files.keys()].filter((path) => path.includes('/workers/'));
    const { status, headers } = await get(worker);
    expect([status, headers['content-security-policy']]).toEqual([
      200,
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
    ]);
    for (const path of ['/', script(), '/store']) {
      expect((await get(path)).headers['content-security-policy']).not.toContain('eval');
    }
  });

  test.each(['//', '//api/users', '/./api/store', '/../', '/a/..', '/%2e/api/store', '/a//b'])(
    'responds 404 to %s, which is not a path of the page',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

describe('the page server outside /api', () => {
  test.each(['/', '/releases/17', '/sign-in', '/a%20b?c=d', '/apixyz', '/index.html'])(
    'sends index.html for %s, to be revalidated each time',
    async (path) => {
      const { status, headers, body } = await get(path);
      expect({ status, type: headers['content-type'] }).toEqual({
        status: 200,
        type: 'text/html; charset=utf-8',
      });
      expect(body.toString()).toBe(index);
      expect(headers['cache-control']).toBe('no-cache');
      expect(headers['x-content-type-options']).toBe('nosniff');
    },
  );

  test('lets built files be cached for a year, and other files be revalidated', async () => {
    const built = await get(script());
    expect(built.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(built.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const version = await get('/_app/version.json');
    expect(version.headers['cache-control']).toBe('no-cache');
    expect(JSON.parse(version.body.toString())).toEqual({
      version: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await get('/icon.svg')).headers['content-type']).toBe('image/svg+xml');
  });

  test.each([
    '/_app/',
    '/_app/none.js',
    '/_app/immutable/entry/start.js',
    '/_app/immutable/../index.html',
  ])('responds 404 to %s, which is not a file', async (path) => {
    const { status, body } = await get(path);
    expect([status, body.toString()]).toEqual([404, '{"detail":"not found"}']);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'refuses %s with 405',
    async (method) => {
      const { status, headers, body } = await get('/library', {}, method);
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
      expect(body.toString()).toBe('{"detail":"method not allowed"}');
    },
  );

  test('sends for HEAD the headers of GET and no body', async () => {
    const [whole, head] = [await get(script()), await get(script(), {}, 'HEAD')];
    expect(head.status).toBe(200);
    expect(head.body.length).toBe(0);
    for (const name of ['content-length', 'etag', 'content-type', 'cache-control'])
      expect(head.headers[name]).toBe(whole.headers[name]);
  });

  test('sends 304 to a browser that has the page cached in the requested encoding', async () => {
    const first = await get('/', { 'accept-encoding': 'gzip' });
    const again = await get('/', {
      'accept-encoding': 'gzip',
      'if-none-match': String(first.headers.etag),
    });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const plain = await get('/', { 'if-none-match': String(first.headers.etag) });
    expect(plain.status).toBe(200);
  });

  test('leaves the 404 and 405 responses of the API unchanged', async () => {
    expect((await get('/api')).body.toString()).toBe('{"detail":"not found"}');
    expect((await get('/api/none')).status).toBe(404);
    expect((await get('/api/none', {}, 'POST')).status).toBe(404);
    const { status, headers } = await get('/api/releases', {}, 'DELETE');
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the encoding of the page', () => {
  test('is Brotli, Gzip or none, as requested', async () => {
    const plain = await get(script());
    expect(plain.headers['content-encoding']).toBeUndefined();
    const packed = await get(script(), { 'accept-encoding': 'gzip, deflate' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.body)).toEqual(plain.body);
    const brotli = await get(script(), { 'accept-encoding': 'gzip, deflate, br' });
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
    expect(new Set([plain, packed, brotli].map((each) => each.headers.etag)).size).toBe(3);
    expect(plain.headers.vary).toBe('Accept-Encoding');
  });

  test.each([
    ['', undefined],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=x', undefined],
  ])('is, for the Accept-Encoding `%s`, %s', async (header, encoding) => {
    const { status, headers } = await get(script(), { 'accept-encoding': header });
    expect([status, headers['content-encoding']]).toEqual([200, encoding]);
  });
});

describe('the content security policy of the page', () => {
  test('allows only the built files and the start script to run', async () => {
    const { headers } = await get('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|upgrade-insecure-requests|\*/);
    expect(policy).toBe(contentPolicy(index));
  });

  test('depends on the start script', () => {
    expect(contentPolicy('<script>1</script>')).not.toBe(contentPolicy('<script>2</script>'));
  });
});
