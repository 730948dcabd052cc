import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minimalDocument } from '../../../src/http/minimal-api/app.ts';
import { type MinimalApp, startMinimalApp } from '../../support/http/minimal-app.ts';
import { createRequester, type Requester } from '../../support/http/requester.ts';

// `test/support/http/contract.ts` compares every response to a request of a test with
// this document.

const document = minimalDocument('0.0.0-test');
const paths = Object.entries(document.paths);

let app: MinimalApp;
let request: Requester;
beforeAll(async () => {
  app = await startMinimalApp();
  request = createRequester(app.url);
});
afterAll(() => app.close());

describe('the OpenAPI document of the minimal API', () => {
  test('lists exactly the endpoints of the index, and is not served', async () => {
    const { endpoints } = (await request('GET', '/')).json;
    expect(paths.map(([path]) => `GET ${path}`)).toEqual(endpoints);
    for (const [, methods] of paths) expect(Object.keys(methods)).toEqual(['get']);
    expect(document.info.description).toContain('HEAD is answered wherever GET is');
    expect((await request('GET', '/api/openapi.json')).status).toBe(404);
  });

  test('names the endpoints that take the token, and all parameters, optional in a query', () => {
    const documented = paths.map(([path, { get }]) => {
      const parameters = (get?.parameters ?? []).filter((parameter) => parameter.in !== 'header');
      for (const { in: where, required, schema } of parameters) {
        expect([required, 'default' in schema]).toEqual([where === 'path', where === 'query']);
      }
      return [path, get?.security, ...parameters.map((parameter) => parameter.name)];
    });
    const token = [{}, { token: [] }];
    expect(documented).toEqual([
      ['/', []],
      ['/api/summary', []],
      ['/api/releases', [], 'system', 'q', 'limit', 'offset'],
      ['/api/releases/{id}', [], 'id'],
      ['/api/library', [], 'system', 'refresh'],
      ['/api/cover/{id}', [], 'id'],
      ['/api/store', token, 'system'],
      ['/api/store/download/{name}', token, 'name', 'system'],
      ['/api/covers/{name}.zip', [], 'name'],
    ]);
  });

  test('lists every status of each endpoint', () => {
    const documented = paths.map(([path, { get }]) => [path, ...Object.keys(get?.responses ?? {})]);
    expect(documented).toEqual([
      ['/', '200', '500', '503'],
      ['/api/summary', '200', '304', '500', '503'],
      ['/api/releases', '200', '304', '500', '503'],
      ['/api/releases/{id}', '200', '304', '400', '404', '500', '503'],
      ['/api/library', '200', '500', '503', '507'],
      ['/api/cover/{id}', '200', '206', '304', '400', '404', '416', '500', '503', '507'],
      ['/api/store', '200', '401', '500', '503'],
      [
        '/api/store/download/{name}',
        ...['200', '206', '304', '400', '401', '404', '416', '500', '503'],
      ],
      ['/api/covers/{name}.zip', '200', '206', '304', '400', '404', '416', '500', '503'],
    ]);
  });
});
