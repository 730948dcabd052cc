import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from '../../../src/http/page/page-files.ts';
import { rebasePage } from '../../../src/http/page/rebase-page.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { startMinimalApp } from '../../support/http/minimal-app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

let api: TestApp;
let request: Requester;
beforeAll(async () => {
  api = await startTestApp({ 'base-path': '/catalog' });
  request = createRequester(api.url);
});
afterAll(() => api.close());

describe('a server with a base path', () => {
  test.each([
    '/api/health',
    '/api/releases',
    '/',
    '/catalogx/api/health',
    '/Catalog/api/health',
    '/%63atalog/api/health',
    '/api/catalog/health',
    '//catalog/api/health',
  ])('responds to %s, outside of its base path, with 404', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await request(method, path);
      expect([path, response.status, response.json]).toEqual([path, 404, { detail: 'not found' }]);
    }
  });

  test('serves the API and the page below its base path', async () => {
    expect((await request('GET', '/catalog/api/health')).json).toEqual({ status: 'ok' });
    expect((await request('GET', '/catalog/api/releases?limit=1')).json).toMatchObject({
      limit: 1,
    });
    expect((await request('DELETE', '/catalog/api/releases')).headers.allow).toBe('GET, HEAD');
    expect((await request('GET', '/catalog/api/nothing')).json).toEqual({ detail: 'not found' });
    expect((await request('GET', '/catalog/catalog/api/health')).text).toContain('<!doctype html>');
  });

  test('puts its base path into cookies, upload locations, OpenAPI and redirects', async () => {
    const json = { username: 'admin', password: 'admin-password', cookie: true };
    const login = await request('POST', '/catalog/api/auth/login', { json });
    expect(String(login.headers['set-cookie'])).toContain('; Path=/catalog;');
    const [cookie = ''] = String(login.headers['set-cookie']).split(';');
    const logout = await request('POST', '/catalog/api/auth/logout', { headers: { cookie } });
    expect(String(logout.headers['set-cookie'])).toContain('; Path=/catalog;');
    const upload = await request('POST', '/catalog/api/uploads', {
      token: api.adminToken,
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '1',
        'upload-metadata': `filename ${btoa('a.zip')},system ${btoa('games')}`,
      },
    });
    expect(upload.headers.location).toMatch(/^\/catalog\/api\/uploads\/\d+$/);
    const { location } = upload.headers;
    const head = await request('HEAD', String(location), {
      token: api.adminToken,
      headers: { 'tus-resumable': '1.0.0' },
    });
    expect(head.status).toBe(200);
    const document = await request('GET', '/catalog/api/openapi.json');
    expect(document.json.servers).toEqual([{ url: '/catalog' }]);
    const reference = await request('GET', '/catalog/api/docs/static/index.html');
    expect(reference.headers.location).toBe('/catalog/api/docs/');
  });

  test('puts its base path into the page, and allows the start script by its hash', async () => {
    if (readPage().size === 0) throw new Error('the page is not built');
    for (const path of ['/catalog', '/catalog/', '/catalog/releases/1', '/catalog?search=x']) {
      const { text, headers, status } = await request('GET', path);
      expect(status).toBe(200);
      expect(text).toContain('data-base="/catalog"');
      const [, script = ''] = /<script>(.*?)<\/script>/s.exec(text) ?? [];
      const hash = createHash('sha256').update(script).digest('base64');
      expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`);
      const own = [...text.matchAll(/(?:href|import\()="?"?(\/[^"]*)"/g)].map(([, each]) => each);
      expect(own.length).toBeGreaterThan(5);
      for (const each of own) expect((await request('GET', String(each))).status, each).toBe(200);
    }
  });
});

describe('the base path', () => {
  test('gives exactly the page files that it changes a new ETag in every encoding', {
    tags: ['full'],
  }, () => {
    const placed = rebasePage(readPage(), '/a/b');
    for (const [name, { plain, gzip, br }] of placed) {
      expect(plain.bytes.toString().match(/["'`]\/_app\//), name).toBeNull();
      const before = readPage().get(name);
      const isChanged = !before?.plain.bytes.equals(plain.bytes);
      for (const each of ['plain', 'gzip', 'br'] as const) {
        const [one, other] = [before?.[each], { plain, gzip, br }[each]];
        expect(one?.etag === other?.etag, `${name} ${each}`).toBe(
          !isChanged || other === undefined,
        );
      }
    }
  });

  test('applies to the minimal API as CATALOG_BASE_PATH', async () => {
    const minimal = await startMinimalApp({ env: { CATALOG_BASE_PATH: '/small' } });
    try {
      const request = createRequester(minimal.url);
      expect((await request('GET', '/api/summary')).status).toBe(404);
      expect((await request('GET', '/')).json).toEqual({ error: 'not found' });
      expect((await request('GET', '/small/api/summary/')).status).toBe(200);
      const index = await request('GET', '/small/');
      expect(index.json.endpoints).toContain('GET /api/releases/{id}');
    } finally {
      await minimal.close();
    }
  });
});
