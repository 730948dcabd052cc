import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ask, askAt } from '../../support/ask.ts';
import { importGames } from '../../support/dats.ts';
import { type MinimalApp, startMinimalApp } from '../../support/minimal-app.ts';

interface Response {
  readonly $ref?: string;
  readonly content?: Record<string, { schema: object }>;
}
interface Operation {
  readonly responses: Record<string, Response>;
  readonly parameters?: readonly { name: string; in: string }[];
  readonly security: readonly object[];
}
interface Document {
  readonly paths: Record<string, { get: Operation }>;
  readonly components: { responses: Record<string, Response> };
}

const ajv = new Ajv2020({ strict: false });
let document: Document;
let app: MinimalApp;
let ask: Ask;

beforeAll(async () => {
  document = JSON.parse(await readFile('docs/api/minimal-openapi.json', 'utf8'));
  ajv.addSchema(document, 'api');
  const found = { serial: 'S-1', method: 'sha1', canonical: 'One.iso', releaseId: 1 } as const;
  const unknown = { serial: null, method: null, canonical: null, releaseId: null };
  const file = { name: 'a', path: '/a', size: 1 };
  app = await startMinimalApp({
    env: { CATALOG_API_TOKEN: 'shared' },
    listLibrary: async () => [
      { ...file, system: 'games', ...found },
      { ...file, system: null, ...unknown },
    ],
  });
  ask = askAt(app.url);
  await importGames(app as never, ['One', 'Two']);
  await mkdir(join(app.data, 'store', 'games'), { recursive: true });
  await writeFile(join(app.data, 'store', 'games', 'a.zip'), 'x');
  await writeFile(join(app.data, 'covers', 'b.zip'), 'x');
  await writeFile(join(app.data, 'covers', '1.png'), 'x');
});
afterAll(() => app.close());

test('docs/api/minimal-openapi.json has the endpoints that the index lists, no more', async () => {
  const { endpoints } = (await ask('GET', '/')).json;
  expect(Object.keys(document.paths).map((path) => `GET ${path}`)).toEqual(endpoints);
  for (const methods of Object.values(document.paths))
    expect(Object.keys(methods)).toEqual(['get']);
});

test('it says which need the token, and which parameters count', () => {
  const told = Object.entries(document.paths).map(([path, { get }]) => {
    const parameters = get.parameters?.map((parameter) => parameter.name) ?? [];
    return [path, get.security.length > 0, ...parameters];
  });
  expect(told).toEqual([
    ['/', false],
    ['/api/summary', false],
    ['/api/releases', false, 'system', 'q', 'limit', 'offset'],
    ['/api/releases/{id}', false, 'id'],
    ['/api/library', false, 'system', 'refresh'],
    ['/api/cover/{id}', false, 'id'],
    ['/api/store', true, 'system'],
    ['/api/store/download/{name}', true, 'name', 'system'],
    ['/api/covers/{name}.zip', false, 'name'],
  ]);
});

/** What the document says is wrong with an answer; null for nothing. */
function faults(path: string, status: number, type: string, body: () => unknown): unknown {
  const responses = document.paths[path]?.get.responses ?? {};
  const key = [String(status), `${String(status)[0]}XX`].find((name) => name in responses);
  if (key === undefined) return `no ${status}`;
  const given = responses[key];
  const name = given?.$ref?.split('/').at(-1);
  const response = name === undefined ? given : document.components.responses[name];
  if (response?.content === undefined) return null;
  const schema = response.content[type]?.schema;
  if (schema === undefined) return `no ${type}`;
  if (type !== 'application/json') return null;
  const { $ref } = schema as { $ref: string };
  const validate = ajv.getSchema(`api${$ref}`);
  return validate?.(body()) === true ? null : (validate?.errors ?? 'no schema');
}

test.each([
  ['/', '', 200],
  ['/api/summary', '', 200],
  ['/api/releases', '', 200],
  ['/api/releases', '?limit=-1', 200],
  ['/api/releases/{id}', '1', 200],
  ['/api/releases/{id}', '99', 404],
  ['/api/library', '', 200],
  ['/api/cover/{id}', '1', 200],
  ['/api/cover/{id}', '2', 404],
  ['/api/store', '', 200],
  ['/api/store/download/{name}', 'a.zip', 200],
  ['/api/store/download/{name}', 'none', 404],
  ['/api/covers/{name}.zip', 'b', 200],
  ['/api/covers/{name}.zip', 'none', 404],
])('%s with `%s` is %i, as the document says', async (path, value, status) => {
  const url = path.includes('{') ? path.replace(/\{\w+\}/, value) : path + value;
  const answer = await ask('GET', url, { token: 'shared' });
  const [type = ''] = String(answer.headers['content-type']).split(';');
  expect([answer.status, faults(path, status, type, () => answer.json)]).toEqual([status, null]);
});

test('401 and 405 are in it', async () => {
  const [refused, method] = [await ask('GET', '/api/store'), await ask('POST', '/api/summary')];
  expect(faults('/api/store', 401, 'application/json', () => refused.json)).toBeNull();
  expect(faults('/api/summary', 405, 'application/json', () => method.json)).toBeNull();
});

test.each([
  ['/api/cover/{id}', '1'],
  ['/api/store/download/{name}', 'a.zip'],
  ['/api/covers/{name}.zip', 'b'],
])('206, 304 and 416 of %s are in it', async (path, value) => {
  const url = path.replace(/\{\w+\}/, value);
  for (const [status, headers] of [
    [206, { range: 'bytes=0-0' }],
    [304, { 'if-none-match': '*' }],
    [416, { range: 'bytes=1-' }],
  ] as const) {
    const answer = await ask('GET', url, { token: 'shared', headers });
    const [type = ''] = String(answer.headers['content-type']).split(';');
    expect(document.paths[path]?.get.responses).toHaveProperty(String(status));
    const found = [answer.status, faults(path, status, type, () => answer.json)];
    expect(found).toEqual([status, null]);
  }
});

test('the check above bites', () => {
  const check = (path: string, body: unknown) => faults(path, 200, 'application/json', () => body);
  expect(check('/api/summary', { systems: [{ system: 'games' }] })).not.toBeNull();
  expect(check('/api/summary', { systems: [], more: 1 })).not.toBeNull();
  expect(check('/api/releases', { items: [], limit: '50', offset: 0 })).not.toBeNull();
  expect(faults('/api/cover/{id}', 200, 'image/webp', () => '')).not.toBeNull();
});
