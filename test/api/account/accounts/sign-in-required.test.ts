import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountDocument } from '../../../../src/http/account-api/app.ts';
import { importGames } from '../../../support/data/dats.ts';
import { makePerson } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import { createRequester, type Requester } from '../../../support/http/requester.ts';

const image = Buffer.from([0xff, 0xd8, 0xff, 1]);

let app: TestApp;
let request: Requester;
let token: string;
let expected: object;
beforeAll(async () => {
  app = await startTestApp({ 'require-sign-in': 'on' });
  request = createRequester(app.url);
  await importGames(app, ['One', 'Two']);
  await request('POST', '/api/cover/1', { token: app.adminToken, form: { bytes: image } });
  token = (await makePerson(app, 'user')).token;
  expected = JSON.parse(JSON.stringify(accountDocument('0.0.0-test', { requireSignIn: true })));
});
afterAll(() => app.close());

const readPaths = [
  '/api/releases',
  '/api/releases/1',
  '/api/releases/999999',
  '/api/releases/1/library',
  '/api/releases/1/archives',
  '/api/cover/1',
  '/api/store',
  '/api/facets',
  '/api/letters',
  '/api/openapi.json',
  '/api/docs/',
  '/api/docs/static/swagger-ui.css',
];

describe.each(readPaths)('path %s of a server that requires sign-in', (path) => {
  test.each([undefined, 'cat_wrong'])('refuses the token %s', async (wrong) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await request(method, path, { token: wrong });
      expect([method, response.status]).toEqual([method, 401]);
      expect(response.headers['www-authenticate']).toBe('Bearer');
      if (method === 'GET') expect(response.json).toEqual({ detail: 'not authenticated' });
    }
  });

  test.each(['token', 'cookie'] as const)(
    'responds to a user who authenticates by %s, and allows no shared cache',
    async (by) => {
      const { status, headers } = await request('GET', path, { [by]: token });
      expect(status).toBe(path.endsWith('999999') ? 404 : 200);
      expect(headers['cache-control']).toMatch(/^(no-store|private, no-cache)$/);
    },
  );
});

describe('a server that requires sign-in', () => {
  test('requires a token for every documented operation but five', async () => {
    const { paths } = accountDocument('0.0.0-test', { requireSignIn: true });
    const open: string[] = [];
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, { responses, security }] of Object.entries(operations)) {
        const needsToken =
          security.length > 0 && security.every((one) => Object.keys(one).length > 0);
        if (!needsToken) open.push(path);
        const { status } = await request(method.toUpperCase(), path.replace(/\{\w+\}/g, '1'));
        const expected = needsToken || path === '/api/auth/login';
        expect([method, path, status === 401]).toEqual([method, path, expected]);
        expect([method, path, 401 in responses]).toEqual([method, path, expected]);
      }
    }
    expect(open.sort()).toEqual([
      '/api/auth/login',
      '/api/auth/logout',
      '/api/health',
      '/api/health/ready',
      '/api/session',
    ]);
  });

  test('documents that sign-in is required', async () => {
    expect((await request('GET', '/api/openapi.json', { token })).json).toEqual(expected);
  });

  test('shows anonymous users no number of releases, and lets them sign in and out', async () => {
    const response = await request('GET', '/api/session');
    expect([response.status, response.json]).toEqual([
      200,
      {
        user: null,
        releases: null,
        version: expect.any(String),
        sign_in_required: true,
        collection: false,
        library_downloads: true,
        catalogue_source: false,
      },
    ]);
    expect((await request('GET', '/api/session', { cookie: token })).json).toMatchObject({
      user: { role: 'user' },
      releases: 2,
    });
    expect((await request('GET', '/api/health')).status).toBe(200);
    expect((await request('POST', '/api/auth/logout')).status).toBe(200);
    const json = { username: 'admin', password: 'admin-password' };
    expect((await request('POST', '/api/auth/login', { json })).status).toBe(200);
    expect((await request('GET', '/api/no/such/path')).status).toBe(404);
    expect((await request('POST', '/api/releases')).status).toBe(405);
  });

  test('keeps the page public and cacheable', async () => {
    const page = await request('GET', '/');
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-cache']);
    const [script = ''] = /\/_app\/immutable\/entry\/start\.[^"]+\.js/.exec(page.text) ?? [];
    expect((await request('GET', script)).headers['cache-control']).toMatch(/^public/);
  });
});
