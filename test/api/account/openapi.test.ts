import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountDocument } from '../../../src/http/account-api/app.ts';
import type { RequestBody } from '../../../src/http/shared/routes/openapi.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

// `test/support/http/contract.ts` compares every response to a request of a test with
// this document.

const document = accountDocument('0.0.0-test');
const operation = (method: string, path: string) => document.paths[path]?.[method.toLowerCase()];
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const statuses = (method: string, path: string) =>
  Object.keys(operation(method, path)?.responses ?? {}).map(Number);

/** Returns the schemas of the fields in JSON content. */
function fieldsOf({ content }: Pick<RequestBody, 'content'>): Record<string, object> {
  const [json = { schema: {} }] = Object.values(content);
  const { properties } = json.schema as { properties: Record<string, object> };
  return properties;
}

// biome-ignore format: the rows match the table in account-api.md
const endpoints: [string, string, string, number[]][] = [
  ['1', 'POST', '/api/auth/login', [200, 400, 401, 413, 415, 422, 429]],
  ['2', 'GET', '/api/auth/me', [200, 401]],
  ['3', 'POST', '/api/auth/logout', [200]],
  ['4', 'GET', '/api/users', [200, 401, 403, 422]],
  ['5', 'POST', '/api/users', [200, 400, 401, 403, 409, 413, 415, 422]],
  ['6', 'PATCH', '/api/users/{user_id}', [200, 400, 401, 403, 404, 409, 413, 415, 422]],
  ['7', 'DELETE', '/api/users/{user_id}', [200, 400, 401, 403, 409, 422]],
  ['8', 'GET', '/api/users/{user_id}/tokens', [200, 400, 401, 403, 422]],
  ['9', 'DELETE', '/api/users/{user_id}/tokens/{token_id}', [200, 400, 401, 403, 422]],
  ['10', 'GET', '/api/releases', [200, 304, 401, 404, 409, 422]],
  ['11', 'GET', '/api/releases/{release_id}', [200, 304, 400, 404, 422]],
  ['12', 'PATCH', '/api/releases/{release_id}', [200, 400, 401, 403, 404, 412, 413, 415, 422]],
  ['dropped edit', 'DELETE', '/api/releases/{release_id}/edits/{field}', [200, 400, 401, 403, 404, 412, 422]],
  ['library files', 'GET', '/api/releases/{release_id}/library', [200, 400, 401, 404, 422]],
  ['archives', 'GET', '/api/releases/{release_id}/archives', [200, 400, 404, 422]],
  [
    'release download',
    'GET',
    '/api/releases/{release_id}/download',
    [200, 206, 304, 400, 401, 403, 404, 409, 416, 422],
  ],
  ['group', 'GET', '/api/releases/{release_id}/group', [200, 400, 404, 422]],
  ['join', 'POST', '/api/groups/{group_id}/join', [200, 400, 401, 403, 404, 413, 415, 422]],
  ['split', 'POST', '/api/groups/{group_id}/split', [200, 400, 401, 403, 404, 413, 415, 422]],
  ['13', 'GET', '/api/cover/{release_id}', [200, 206, 304, 400, 404, 416, 422]],
  ['14', 'POST', '/api/cover/{release_id}', [200, 400, 401, 403, 404, 413, 415, 422]],
  ['15', 'DELETE', '/api/cover/{release_id}', [200, 400, 401, 403, 404, 422]],
  ['16', 'GET', '/api/store', [200, 422]],
  ['17', 'GET', '/api/store/download/{system}/{name}', [200, 206, 304, 400, 401, 404, 416]],
  ['18', 'POST', '/api/store/upload', [200, 400, 401, 403, 413, 415, 422]],
  ['19', 'DELETE', '/api/store/{system}/{name}', [200, 400, 401, 403, 404]],
  ['20', 'GET', '/api/stats', [200, 401, 403]],
  ['password', 'POST', '/api/auth/password', [200, 400, 401, 403, 413, 415, 422, 429]],
  ['own tokens', 'GET', '/api/auth/tokens', [200, 401, 422]],
  ['new token', 'POST', '/api/auth/tokens', [200, 400, 401, 403, 409, 413, 415, 422]],
  ['revoke own', 'DELETE', '/api/auth/tokens/{id}', [200, 400, 401, 403, 422]],
  ['jobs', 'GET', '/api/jobs', [200, 401, 403, 422]],
  ['start job', 'POST', '/api/jobs', [200, 400, 401, 403, 409, 413, 415, 422]],
  ['job', 'GET', '/api/jobs/{job_id}', [200, 400, 401, 403, 404, 422]],
  ['stop job', 'POST', '/api/jobs/{job_id}/stop', [200, 400, 401, 403, 404, 422]],
  ['targets', 'GET', '/api/targets', [200, 401, 403]],
  ['schedules', 'GET', '/api/schedules', [200, 401, 403]],
  ['schedule', 'PATCH', '/api/schedules/{kind}', [200, 400, 401, 403, 404, 413, 415, 422]],
  ['tus options', 'OPTIONS', '/api/uploads', [204, 401, 403]],
  ['new upload', 'POST', '/api/uploads', [201, 400, 401, 403, 409, 412, 413, 422]],
  ['uploads', 'GET', '/api/uploads', [200, 401, 403, 422]],
  ['tus at one upload', 'OPTIONS', '/api/uploads/{upload_id}', [204, 400, 401, 403, 404, 422]],
  ['one upload', 'GET', '/api/uploads/{upload_id}', [200, 400, 401, 403, 404, 422]],
  ['chunk', 'PATCH', '/api/uploads/{upload_id}', [204, 400, 401, 403, 404, 409, 412, 413, 415, 422, 460]],
  ['deleted upload', 'DELETE', '/api/uploads/{upload_id}', [204, 400, 401, 403, 404, 412, 422]],
  ['session', 'GET', '/api/session', [200]],
  ['library', 'GET', '/api/library', [200, 401, 422]],
  ['recently added', 'GET', '/api/library/recent', [200, 401, 422]],
  ['library file', 'GET', '/api/library/{file_id}', [200, 400, 401, 404, 422]],
  [
    'library download',
    'GET',
    '/api/library/{file_id}/download',
    [200, 206, 304, 400, 401, 403, 404, 409, 416, 422],
  ],
  ['alike', 'GET', '/api/library/alike', [200, 401, 403, 422]],
  ['matches', 'POST', '/api/library/match', [200, 400, 401, 403, 404, 413, 415, 422]],
  ['match', 'POST', '/api/library/{file_id}/match', [200, 400, 401, 403, 404, 413, 415, 422]],
  ['roots', 'GET', '/api/library/roots', [200, 401, 403]],
  ['audit', 'GET', '/api/audit', [200, 401, 403, 422]],
  ['downloads', 'GET', '/api/downloads', [200, 401, 403, 422]],
  ['own downloads', 'GET', '/api/auth/downloads', [200, 401, 422]],
  ['facets', 'GET', '/api/facets', [200, 304, 401, 404, 409, 422]],
  ['dashboard', 'GET', '/api/dashboard', [200, 401, 403]],
  ['platforms', 'GET', '/api/platforms', [200, 401]],
  ['profiles', 'GET', '/api/profiles', [200, 401]],
  ['export', 'GET', '/api/sets/{set_id}/export/{profile}', [200, 400, 401, 404, 409, 422]],
  ['left out', 'GET', '/api/sets/{set_id}/left-out/{profile}', [200, 400, 401, 404, 409, 422]],
  ['missing csv', 'GET', '/api/platforms/{platform_id}/missing.csv', [200, 400, 401, 404, 422]],
  ['missing dat', 'GET', '/api/platforms/{platform_id}/missing.dat', [200, 400, 401, 404, 422]],
  ['sets', 'GET', '/api/sets', [200, 401, 422]],
  ['new set', 'POST', '/api/sets', [200, 400, 401, 403, 409, 413, 415, 422]],
  ['preview of a set', 'POST', '/api/sets/preview', [200, 400, 401, 403, 409, 413, 415, 422]],
  ['one set', 'GET', '/api/sets/{set_id}', [200, 400, 401, 404, 422]],
  ['changed set', 'PATCH', '/api/sets/{set_id}', [200, 400, 401, 403, 404, 409, 413, 415, 422]],
  ['deleted set', 'DELETE', '/api/sets/{set_id}', [200, 400, 401, 403, 404, 422]],
  ['reason in a set', 'GET', '/api/sets/{set_id}/explain/{release_id}', [200, 400, 401, 404, 409, 422]],
  ['own devices', 'GET', '/api/devices', [200, 401, 422]],
  ['new device', 'POST', '/api/devices', [200, 400, 401, 403, 404, 409, 413, 415, 422]],
  ['revoked device', 'DELETE', '/api/devices/{device_id}', [200, 400, 401, 403, 422]],
  ['devices of a user', 'GET', '/api/users/{user_id}/devices', [200, 400, 401, 403, 422]],
  [
    'revoked device of a user',
    'DELETE',
    '/api/users/{user_id}/devices/{device_id}',
    [200, 400, 401, 403, 422],
  ],
  ['missing csv of a set', 'GET', '/api/sets/{set_id}/missing.csv', [200, 400, 401, 404, 409, 422]],
  ['missing dat of a set', 'GET', '/api/sets/{set_id}/missing.dat', [200, 400, 401, 404, 409, 422]],
];

let app: TestApp;
let request: Requester;
beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
});
afterAll(() => app.close());

describe('/api/openapi.json', () => {
  test('serves the document as OpenAPI 3.1, without a secret or an address', async () => {
    const response = await request('GET', '/api/openapi.json');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json).toEqual(JSON.parse(JSON.stringify(document)));
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(response.text).not.toMatch(/127\.0\.0\.1|localhost|cat_/);
  });

  test.each(endpoints)(
    'lists for endpoint %s, %s %s, exactly the expected statuses',
    (_no, method, path, named) => {
      const writes = ['GET', 'OPTIONS'].includes(method) ? [] : [507];
      expect(statuses(method, path)).toEqual([...named, 500, 503, ...writes]);
    },
  );

  test('declares for each endpoint whether credentials are required, optional or not used', () => {
    const open = ['1', '11', '13', '16', 'archives'];
    for (const [no, method, path] of endpoints) {
      const needed = [{ token: [] }, { cookie: [] }];
      const expected = open.includes(no)
        ? []
        : ['3', '10', 'session', 'facets', 'group'].includes(no)
          ? [{}, ...needed]
          : needed;
      expect([path, operation(method, path)?.security]).toEqual([path, expected]);
    }
  });

  test('requires no query parameter, and declares its default or what its absence means', () => {
    const parameters = operations.flatMap(({ operation }) => operation.parameters ?? []);
    const query = parameters.filter((parameter) => parameter.in === 'query');
    expect(query.length).toBeGreaterThan(23);
    for (const parameter of query) {
      const isDocumented = JSON.stringify(parameter).includes('absent: ');
      const schema =
        parameter.name === 'width' || isDocumented ? {} : { default: expect.anything() };
      expect(parameter).toMatchObject({ required: false, schema });
    }
  });

  test('lists no HEAD operation, describes HEAD in the text, and has unique operation ids', () => {
    expect(operations.filter(({ method }) => method === 'head')).toEqual([]);
    expect(document.info.description).toContain('HEAD is answered wherever GET is');
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('declares headers for validators, ranges, file names, cookies and Retry-After', () => {
    const headers = (method: string, path: string, status: number) => {
      const documented = operation(method, path)?.responses[status]?.headers ?? {};
      return Object.entries(documented).map(([name, { required }]) => name + (required ? '' : '?'));
    };
    const file = ['ETag', 'Last-Modified', 'Accept-Ranges', 'Content-Length'];
    const download = '/api/store/download/{system}/{name}';
    expect(headers('GET', '/api/cover/{release_id}', 200)).toEqual(file);
    expect(headers('GET', download, 200)).toEqual([...file, 'Content-Disposition']);
    expect(headers('GET', download, 206)).toEqual([
      ...file,
      'Content-Disposition',
      'Content-Range',
    ]);
    expect(headers('GET', download, 304)).toEqual(['ETag', 'Last-Modified']);
    expect(headers('GET', download, 416)).toEqual(['Content-Range']);
    expect(headers('GET', download, 401)).toEqual(['WWW-Authenticate']);
    expect(headers('POST', '/api/auth/login', 200)).toEqual(['Set-Cookie?']);
    expect(headers('POST', '/api/auth/logout', 200)).toEqual(['Set-Cookie?']);
    expect(headers('POST', '/api/auth/login', 401)).toEqual([]);
    expect(headers('POST', '/api/auth/login', 429)).toEqual(['Retry-After']);
    expect(headers('GET', '/api/health', 503)).toEqual(['Retry-After']);
  });

  test('declares the types of `role`, `is_active` and `cookie`', () => {
    const role = { type: 'string', enum: ['admin', 'editor', 'user'] };
    const fields = (method: string, path: string) =>
      fieldsOf(operation(method, path)?.requestBody ?? { content: {} });
    const update = fields('PATCH', '/api/users/{user_id}');
    expect(update.role).toMatchObject({ anyOf: [role, { type: 'null' }] });
    expect(Object.keys(update.is_active ?? {})).toEqual(['description']);
    expect(fields('POST', '/api/auth/login').cookie).toMatchObject({ type: 'boolean' });
    const user = { role, is_active: { type: 'integer', enum: [0, 1] } };
    expect(document.components.schemas.User).toMatchObject({ properties: user });
  });
});

describe('/api/docs', () => {
  test('loads nothing from another server in its page and its initializer', async () => {
    const page = await request('GET', '/api/docs/');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url = '']) => url);
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources) {
      expect(source).not.toMatch(/^(?:[a-z]+:)?\/\//i);
      const part = await request('GET', new URL(source, `${app.url}/api/docs/`).pathname);
      expect([source, part.status]).toEqual([source, 200]);
    }
    expect(page.text).not.toMatch(/<script>[^<]|https?:\/\//);
    const initializer = await request('GET', '/api/docs/static/swagger-initializer.js');
    expect(initializer.status).toBe(200);
    expect(initializer.text).not.toMatch(/["'`(=]\s*(?:https?:)?\/\//);
  });

  test('sends with its files a CSP that allows only this server', async () => {
    for (const path of ['/api/docs/', '/api/docs/static/swagger-ui.css']) {
      const policy = String((await request('GET', path)).headers['content-security-policy']);
      expect(policy).toMatch(/default-src 'none'/);
      expect(policy).not.toMatch(/https?:|\*|'unsafe-eval'|script-src[^;]*'unsafe-inline'/);
      expect(policy).not.toContain('upgrade-insecure-requests');
    }
  });

  test.each([
    '..%5c..%5ccatalog.db',
    '..%2f..%2fcatalog.db',
    '../../catalog.db',
    '%2e%2e/json',
    './swagger-ui.css',
    '/swagger-ui.css',
    'a%5cb',
    '%00',
    '.hidden',
    'SWAGGER-UI.CSS',
    'swagger-ui.css/',
    'a/'.repeat(1000),
  ])('responds 404 `not found` to static/%s', async (name) => {
    const response = await request('GET', `/api/docs/static/${name}`);
    expect([response.status, response.json]).toEqual([404, { detail: 'not found' }]);
    expect((await request('HEAD', `/api/docs/static/${name}`)).status).toBe(404);
  });

  test('refuses invalid ranges, URLs and methods in the error format of the API', async () => {
    const path = '/api/docs/static/index.css';
    const size = (await request('GET', path)).body.length;
    const outside = await request('GET', path, { headers: { range: `bytes=${size}-` } });
    expect([outside.status, outside.headers['content-range'], outside.json]).toEqual([
      416,
      `bytes */${size}`,
      { detail: `range not satisfiable, the file has ${size} bytes` },
    ]);
    const malformed = await request('GET', '/api/docs/static/%E0');
    expect([malformed.status, malformed.json]).toEqual([400, { detail: 'bad request' }]);
    for (const method of ['POST', 'QUERY', 'PROPFIND', 'TRACE']) {
      const refused = await request(method, '/api/docs/');
      expect([refused.status, refused.json]).toEqual([405, { detail: 'method not allowed' }]);
      expect(refused.headers.allow).toBe('GET, HEAD');
    }
  });

  test('serves or redirects the path without a trailing slash', async () => {
    const response = await request('GET', '/api/docs');
    expect([200, 301, 302]).toContain(response.status);
    if (response.status !== 200)
      expect(response.headers.location).toMatch(/^(\.\/|\/api\/)docs\/$/);
  });
});
