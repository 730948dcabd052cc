import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Ask, type AskOptions, askAt } from '../../support/ask.ts';
import { importGames } from '../../support/dats.ts';
import { makeUser } from '../../support/people.ts';

interface Operation {
  readonly responses: Record<string, { content?: Record<string, { schema: object }> }>;
  readonly requestBody?: { content: Record<string, { schema: object }> };
  readonly security?: object[];
}
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
}

// biome-ignore format: it reads as the table of account-api.md
const endpoints = [
  ['1', 'POST', '/api/auth/login'], ['2', 'GET', '/api/auth/me'], ['3', 'POST', '/api/auth/logout'],
  ['4', 'GET', '/api/users'], ['5', 'POST', '/api/users'], ['6', 'PATCH', '/api/users/{user_id}'],
  ['7', 'DELETE', '/api/users/{user_id}'], ['8', 'GET', '/api/users/{user_id}/tokens'],
  ['9', 'DELETE', '/api/users/{user_id}/tokens/{token_id}'], ['10', 'GET', '/api/releases'],
  ['11', 'GET', '/api/releases/{release_id}'], ['12', 'PATCH', '/api/releases/{release_id}'],
  ['13', 'GET', '/api/cover/{release_id}'], ['14', 'POST', '/api/cover/{release_id}'],
  ['15', 'DELETE', '/api/cover/{release_id}'], ['16', 'GET', '/api/store'],
  ['17', 'GET', '/api/store/download/{system}/{name}'], ['18', 'POST', '/api/store/upload'],
  ['19', 'DELETE', '/api/store/{system}/{name}'], ['20', 'GET', '/api/stats'],
  ['password', 'POST', '/api/auth/password'], ['own tokens', 'GET', '/api/auth/tokens'],
  ['new token', 'POST', '/api/auth/tokens'], ['revoke own', 'DELETE', '/api/auth/tokens/{id}'],
] as const;

let app: TestApp;
let ask: Ask;
let document: Document;
const ajv = new Ajv2020({ strict: false, validateFormats: false });

beforeAll(async () => {
  app = await startTestApp();
  ask = askAt(app.url);
  await importGames(app, ['One', 'Two & <b>']);
  document = (await ask('GET', '/api/openapi.json')).json as unknown as Document;
  ajv.addSchema(document, 'api');
});
afterAll(() => app.close());

const operation = (method: string, path: string) => document.paths[path]?.[method.toLowerCase()];
const pointer = (path: string) => path.replaceAll('~', '~0').replaceAll('/', '~1');

/** What the reference says is wrong with an answer; null for nothing. */
function faults(method: string, path: string, status: number, body: unknown): unknown {
  const { responses = {} } = operation(method, path) ?? {};
  const key = [String(status), `${String(status)[0]}XX`].find((name) => name in responses);
  if (key === undefined) return `no ${status} among ${Object.keys(responses)}`;
  const parts = ['paths', pointer(path), method.toLowerCase(), 'responses', key];
  const schema = `${parts.join('/')}/content/${pointer('application/json')}/schema`;
  const validate = ajv.getSchema(`api#/${encodeURI(schema)}`);
  if (!validate) return `no schema ${schema}`;
  return validate(body) ? null : validate.errors;
}

describe('/api/openapi.json', () => {
  test('is OpenAPI 3.1, without a secret and without an address', async () => {
    const answer = await ask('GET', '/api/openapi.json');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(answer.text).not.toMatch(/127\.0\.0\.1|localhost|cat_/);
  });

  test.each(endpoints)('has endpoint %s, %s %s', (_no, method, path) => {
    const found = operation(method, path);
    expect(found).toBeDefined();
    const open = ['1', '3', '10', '11', '13', '16'].includes(_no);
    expect(found?.security === undefined || found.security.length === 0).toBe(open);
    for (const status of Object.keys(found?.responses ?? {})) {
      expect(status).toMatch(/^([1-5]XX|[1-5]\d\d|default)$/);
    }
  });
});

describe('answers are as the reference says', () => {
  let userId = 0;
  beforeAll(async () => {
    userId = (await makeUser(app, 'user')).id;
    const token = app.adminToken;
    const form = { bytes: 'x', filename: 'a.zip' };
    await ask('POST', '/api/store/upload', { token, form });
    await ask('GET', '/api/store/download/games/a.zip', { token });
    await ask('PATCH', '/api/releases/1', { token, json: { genre: 'G' } });
  });

  const form = { bytes: 'x', filename: 'b.zip' };
  test.each<[string, string, string, number, AskOptions?]>([
    [
      'POST',
      '/api/auth/login',
      '',
      200,
      { json: { username: 'admin', password: 'admin-password' } },
    ],
    ['POST', '/api/auth/login', '', 401, { json: {} }],
    ['POST', '/api/auth/login', '', 422, { json: { username: 5 } }],
    [
      'POST',
      '/api/auth/login',
      '',
      400,
      { body: '[', headers: { 'content-type': 'application/json' } },
    ],
    ['GET', '/api/auth/me', '', 200],
    ['POST', '/api/auth/logout', '', 200, { token: 'x' }],
    ['GET', '/api/users', '', 200],
    ['POST', '/api/users', '', 200, { json: { username: 'o', password: 'p' } }],
    ['POST', '/api/users', '', 409, { json: { username: 'admin', password: 'p' } }],
    ['PATCH', '/api/users/{user_id}', '2', 200, { json: { role: 'editor' } }],
    ['PATCH', '/api/users/{user_id}', '999999', 404, { json: {} }],
    ['PATCH', '/api/users/{user_id}', 'x', 422, { json: {} }],
    ['DELETE', '/api/users/{user_id}', '999999', 200],
    ['DELETE', '/api/users/{user_id}', '1', 400],
    ['GET', '/api/users/{user_id}/tokens', '1', 200],
    ['DELETE', '/api/users/{user_id}/tokens/{token_id}', '1', 200],
    ['GET', '/api/releases', '', 200],
    ['GET', '/api/releases/{release_id}', '1', 200],
    ['GET', '/api/releases/{release_id}', '2', 200],
    ['GET', '/api/releases/{release_id}', '999999', 404],
    ['PATCH', '/api/releases/{release_id}', '1', 200, { json: { title: 'T' } }],
    ['GET', '/api/cover/{release_id}', '1', 404],
    ['POST', '/api/cover/{release_id}', '1', 200, { form }],
    ['DELETE', '/api/cover/{release_id}', '1', 200],
    ['GET', '/api/store', '', 200],
    ['GET', '/api/store/download/{system}/{name}', 'none', 404],
    ['POST', '/api/store/upload', '', 200, { form }],
    ['POST', '/api/store/upload', '', 415, { json: {} }],
    ['DELETE', '/api/store/{system}/{name}', 'b.zip', 200],
    ['GET', '/api/stats', '', 200],
    ['GET', '/api/auth/tokens', '', 200],
    ['POST', '/api/auth/tokens', '', 200, { json: { label: 'l' } }],
    ['POST', '/api/auth/password', '', 400, { json: { current: 'x', new: 'y' } }],
    ['DELETE', '/api/auth/tokens/{id}', '999999', 200],
  ])('%s %s %s is %i', async (method, path, value, status, how) => {
    const url = path
      .replace('{token_id}', '999999')
      .replace('{system}', 'games')
      .replace(/\{\w+\}/, value === '2' && path.includes('user_id') ? String(userId) : value);
    const answer = await ask(method, url, { token: app.adminToken, ...how });
    expect([answer.status, faults(method, path, status, answer.json)]).toEqual([status, null]);
  });

  test('the check above bites', async () => {
    expect(faults('GET', '/api/stats', 200, { systems: [], users: 'one' })).not.toBeNull();
    expect(faults('GET', '/api/auth/me', 200, { id: 1 })).not.toBeNull();
    expect(faults('GET', '/api/auth/me', 401, {})).not.toBeNull();
  });
});

describe('/api/docs', () => {
  test('the page and its scripts load nothing from outside', async () => {
    const page = await ask('GET', '/api/docs/');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const sources = [...page.text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url = '']) => url);
    expect(sources.length).toBeGreaterThan(3);
    for (const source of sources) {
      expect(source).not.toMatch(/^(?:[a-z]+:)?\/\//i);
      const part = await ask('GET', new URL(source, `${app.url}/api/docs/`).pathname);
      expect([source, part.status]).toEqual([source, 200]);
    }
    expect(page.text).not.toMatch(/<script>[^<]|https?:\/\//);
    const initializer = await ask('GET', '/api/docs/static/swagger-initializer.js');
    expect(initializer.status).toBe(200);
    expect(initializer.text).not.toMatch(/["'`(=]\s*(?:https?:)?\/\//);
  });

  test('their CSP allows this server only', async () => {
    for (const path of ['/api/docs/', '/api/docs/static/swagger-ui.css']) {
      const policy = String((await ask('GET', path)).headers['content-security-policy']);
      expect(policy).toMatch(/default-src 'none'/);
      expect(policy).not.toMatch(/https?:|\*|'unsafe-eval'|script-src[^;]*'unsafe-inline'/);
      expect(policy).not.toContain('upgrade-insecure-requests');
    }
  });

  test('/api/docs without a slash leads there', async () => {
    const answer = await ask('GET', '/api/docs');
    expect([200, 301, 302]).toContain(answer.status);
    if (answer.status !== 200) expect(answer.headers.location).toMatch(/^(\.\/|\/api\/)docs\/$/);
  });
});
