import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames } from '../support/data/dats.ts';
import { makePerson } from '../support/data/people.ts';
import { freePort } from '../support/free-port.ts';
import { startTestApp, type TestApp } from '../support/http/app.ts';
import { type MinimalApp, startMinimalApp } from '../support/http/minimal-app.ts';
import { createRequester, type Requester, type TestResponse } from '../support/http/requester.ts';
import { type AppRoute, recordRoutes } from '../support/http/routes.ts';
import { toolPath, toolsSkipReason } from '../support/tools.ts';

const image = Buffer.from([0xff, 0xd8, 0xff, 1]);
/** Parameter values that refer to existing things, by name of the parameter. */
const values: Readonly<Record<string, string>> = {
  release_id: '1',
  field: 'genre',
  system: 'games',
  name: 'a.zip',
  platform_id: '1',
  kind: 'backup',
  upload_id: '1',
};
/**
 * Fills in the parameters of a path. Parameters that could affect other requests get a value for
 * which nothing exists.
 */
const safely = (url: string) =>
  url
    .replace(/:(\w+)(\([^)]*\))?/g, (_, name) => values[name] ?? '999999')
    .replace('*', 'index.css');
const reads = ({ method }: AppRoute) => method === 'GET' || method === 'HEAD';
const versioned = /^private, max-age=\d+, immutable$/;

/**
 * Returns true if a response requires an anonymous user to sign in, which means that the route is
 * restricted.
 */
const isRefused = ({ headers }: TestResponse) => headers['www-authenticate'] === 'Bearer';

/** Returns what is wrong with the caching headers of a restricted response, or "" if nothing is. */
function faultOf({ status, headers }: TestResponse): string {
  const given = headers['cache-control'];
  const isJson = String(headers['content-type'] ?? 'application/json').startsWith(
    'application/json',
  );
  const isFile = status === 304 ? headers['last-modified'] !== undefined : !isJson;
  const isRefusal = status >= 300 && status !== 304;
  if (isRefusal || !isFile) return given === 'no-store' ? '' : `${status}: ${given}`;
  return given === 'private, no-cache' || versioned.test(given ?? '') ? '' : `file: ${given}`;
}

async function startWith(options: Record<string, string>) {
  const [app, routes] = await recordRoutes(() => startTestApp(options));
  const request = createRequester(app.url);
  await importGames(app, ['One', 'Two']);
  const token = app.adminToken;
  await request('POST', '/api/cover/1', { token, form: { bytes: image } });
  await request('POST', '/api/store/upload', { token, form: { bytes: 'x', filename: 'a.zip' } });
  const tus = { 'tus-resumable': '1.0.0', 'upload-length': '1' };
  const metadata = `filename ${btoa('b.zip')},system ${btoa('games')}`;
  const headers = { ...tus, 'upload-metadata': metadata };
  expect((await request('POST', '/api/uploads', { token, headers })).status).toBe(201);
  return { app, request, routes: routes.filter(({ url }) => url !== '/*') };
}

const modes: readonly [string, Record<string, string>, 'full'[]][] = [
  ['open', {}, []],
  ['restricted to signed-in users', { 'require-sign-in': 'on' }, ['full']],
];

for (const [mode, options, tags] of modes)
  describe(`a server that is ${mode}`, { tags }, () => {
    const isClosed = mode !== 'open';
    let app: TestApp;
    let request: Requester;
    let routes: readonly AppRoute[];
    let user: string;
    beforeAll(async () => {
      ({ app, request, routes } = await startWith(options));
      user = (await makePerson(app, 'user')).token;
    });
    afterAll(() => app.close());

    test('lets no shared cache store responses of routes that not everyone may call', async () => {
      const faults: string[] = [];
      let files = 0;
      let lists = 0;
      const check = async ({ method, url }: AppRoute) => {
        const path = safely(url);
        const anonymousResponse = await request(method, path);
        if (!isRefused(anonymousResponse) && !isClosed) return;
        const responses = [anonymousResponse];
        // Do not request logout with a token, because logout revokes the token.
        const tokens = path === '/api/auth/logout' ? [] : [user, app.adminToken];
        for (const token of tokens) {
          responses.push(await request(method, path, { token }));
          const { headers, status } = responses.at(-1) ?? anonymousResponse;
          if (status === 200 && headers['content-disposition'] !== undefined) files += 1;
          else if (status === 200) lists += 1;
          if (headers.etag === undefined) continue;
          const known = { 'if-none-match': headers.etag };
          responses.push(await request(method, path, { token, headers: known }));
        }
        for (const response of responses) {
          const fault = faultOf(response);
          if (fault !== '') faults.push(`${method} ${path} ${fault}`);
        }
      };
      await Promise.all(routes.filter(reads).map(check));
      for (const route of routes.filter((each) => !reads(each))) await check(route);
      expect(faults).toEqual([]);
      expect([files >= 8, lists >= 50]).toEqual([true, true]);
    }, 120_000);

    test('lets browsers cache a cover whose URL names its version', async () => {
      const token = app.adminToken;
      await request('POST', '/api/cover/2', { token, form: { bytes: image } });
      const { items } = (await request('GET', '/api/releases?q=Two&include=cover', { token })).json;
      const [{ cover_tag: tag }] = items as [{ cover_tag: string }];
      const { headers } = await request('GET', `/api/cover/2?tag=${tag}`, { token });
      expect(headers['cache-control']).toMatch(versioned);
    });

    test('sends everyone the same response where shared caches may store it', async () => {
      const different: string[] = [];
      const getPaths = routes
        .filter(({ method }) => method === 'GET')
        .map(({ url }) => safely(url));
      const filtered = ['releases', 'facets', 'letters'].map((each) => `/api/${each}?library=have`);
      const compare = async (path: string) => {
        const responses = [await request('GET', path)];
        for (const token of [user, app.adminToken])
          responses.push(await request('GET', path, { token }));
        const isShared = responses.some(
          ({ headers }) => !/\b(private|no-store)\b/.test(headers['cache-control'] ?? ''),
        );
        if (isShared && new Set(responses.map(({ text }) => text)).size > 1) different.push(path);
      };
      await Promise.all([...getPaths, ...filtered].map(compare));
      expect(different).toEqual([]);
    }, 120_000);
  });

describe('the account API', () => {
  test('sends no-cache or no Cache-Control for open routes on an open server', async () => {
    const { app, request } = await startWith({});
    const cacheControls: unknown[] = [];
    for (const path of [
      '/api/releases',
      '/api/releases/1',
      '/api/facets',
      '/api/letters',
      '/api/cover/1',
      '/api/store',
      '/api/health',
      '/api/openapi.json',
    ]) {
      cacheControls.push((await request('GET', path)).headers['cache-control']);
    }
    await app.close();
    const noCache = 'no-cache';
    expect(cacheControls).toEqual([
      noCache,
      noCache,
      noCache,
      noCache,
      noCache,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe.each(['shared', ''])('the minimal API with the token "%s"', (token) => {
  let app: MinimalApp;
  let request: Requester;
  let routes: readonly AppRoute[];
  beforeAll(async () => {
    const env = { CATALOG_API_TOKEN: token };
    [app, routes] = await recordRoutes(() => startMinimalApp({ env }));
    request = createRequester(app.url);
    await importGames(app, ['One']);
    await mkdir(join(app.data, 'store', 'games'), { recursive: true });
    await writeFile(join(app.data, 'store', 'games', 'a.zip'), 'x');
    await writeFile(join(app.data, 'covers', 'a.zip'), 'x');
  });
  afterAll(() => app.close());

  test('lets shared caches store open responses, but none that require the token', async () => {
    const closed: string[] = [];
    for (const { method, url } of routes) {
      const path = safely(url.replace(':id', ':release_id'));
      const anonymousResponse = await request(method, path);
      if (!isRefused(anonymousResponse)) continue;
      closed.push(`${method} ${path}`);
      const response = await request(method, path, { token });
      const faults = [anonymousResponse, response].map(faultOf);
      expect([path, response.status, ...faults]).toEqual([path, 200, '', '']);
    }
    const paths = ['/api/store', '/api/store/download/a.zip'];
    const all = paths.flatMap((path) => ['GET', 'HEAD'].map((method) => `${method} ${path}`));
    expect(closed.toSorted()).toEqual(token === '' ? [] : all.toSorted());
    const cacheControls: unknown[] = [];
    for (const path of ['/api/summary', '/api/releases', '/api/covers/a.zip', '/api/library']) {
      cacheControls.push((await request('GET', path)).headers['cache-control']);
    }
    expect(cacheControls).toEqual(['no-cache', 'no-cache', 'no-cache', undefined]);
  });
});

const skipReason = toolsSkipReason('nginx');

describe.skipIf(skipReason !== null)(`a server behind a caching nginx ${skipReason ?? ''}`, () => {
  let folder: string;
  const running: ChildProcess[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-nginx-'));
  });
  afterAll(async () => {
    for (const child of running) {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    }
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Starts a proxy for `upstream` that caches every response that it may cache, with the URL as the
   * only key. Returns a client for the proxy.
   */
  async function startCache(upstream: string): Promise<Requester> {
    const [port, own] = [await freePort(), join(folder, String(running.length))];
    await mkdir(own);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    await writeFile(
      join(own, 'nginx.conf'),
      `${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${own}/pid; error_log ${own}/error.log; worker_processes 1; daemon off;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${own}/${name};`).join('\n  ')}
  proxy_cache_path ${own}/cache keys_zone=kept:1m;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${upstream};
      proxy_cache kept;
      proxy_cache_valid any 1h;
      add_header X-Cache $upstream_cache_status always;
    }
  }
}\n`,
    );
    const options = { env: { ...process.env, PATH: toolPath }, stdio: 'ignore' } as const;
    running.push(spawn('nginx', ['-p', own, '-c', join(own, 'nginx.conf')], options));
    const opens = async () => {
      const socket = connect(port, '127.0.0.1');
      const isOpen = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      return isOpen;
    };
    await expect.poll(opens).toBe(true);
    return createRequester(`http://127.0.0.1:${port}`);
  }

  test("never sends an anonymous user an admin's response, but caches public ones", async () => {
    for (const options of [{}, { 'require-sign-in': 'on' }] as Record<string, string>[]) {
      const { app, request, routes } = await startWith(options);
      try {
        const cached = await startCache(app.url);
        const paths = routes.filter(({ method }) => method === 'GET').map(({ url }) => safely(url));
        const given: string[] = [];
        const tryAs = async (path: string) => {
          const isClosed = isRefused(await request('GET', path));
          const first = await cached('GET', path, { token: app.adminToken });
          const again = await cached('GET', path);
          if (isClosed && (first.status === 401 || again.status !== 401)) given.push(path);
        };
        await Promise.all([...paths, '/api/releases?library=have'].map(tryAs));
        expect(given).toEqual([]);
        expect((await cached('GET', '/api/users', { token: app.adminToken })).status).toBe(200);
        // Check that the proxy caches public responses.
        const { headers } = await cached('GET', '/api/store', { token: app.adminToken });
        expect(headers['x-cache']).toBe('require-sign-in' in options ? 'MISS' : 'HIT');
      } finally {
        await app.close();
      }
    }
  }, 120_000);

  test('never sends an anonymous user a response for the shared token', async () => {
    const app = await startMinimalApp({ env: { CATALOG_API_TOKEN: 'shared' } });
    try {
      await mkdir(join(app.data, 'store', 'games'), { recursive: true });
      await writeFile(join(app.data, 'store', 'games', 'a.zip'), 'x');
      const cached = await startCache(app.url);
      for (const path of ['/api/store', '/api/store/download/a.zip']) {
        expect((await cached('GET', path, { token: 'shared' })).status).toBe(200);
        expect((await cached('GET', path)).status).toBe(401);
        expect((await cached('GET', path, { token: 'shared' })).status).toBe(200);
      }
      await cached('GET', '/api/library');
      expect((await cached('GET', '/api/library')).headers['x-cache']).toBe('HIT');
    } finally {
      await app.close();
    }
  });
});
