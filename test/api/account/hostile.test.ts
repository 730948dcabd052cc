import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importGames, oddTitles } from '../../support/data/dats.ts';
import { startTestApp, type TestApp } from '../../support/http/app.ts';
import {
  createRequester,
  type Requester,
  type TestResponse,
} from '../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
beforeAll(async () => {
  app = await startTestApp({ 'login-failures': '1000000' });
  request = createRequester(app.url);
  await importGames(app, oddTitles);
});
afterAll(() => app.close());

/**
 * Expects that a response is not a server error. If the response is a refusal, its JSON must have
 * only the field `detail`.
 */
function isDecent(response: TestResponse): void {
  expect(response.status).toBeLessThan(500);
  if (response.status >= 400) expect(Object.keys(response.json)).toEqual(['detail']);
}

const piece = fc.constantFrom(
  ...[
    '',
    '0',
    '-1',
    '1e30',
    'NaN',
    '0x10',
    '9007199254740993',
    '9'.repeat(400),
    '\u0663',
    'null',
    'true',
  ],
  ...[
    '%',
    '_',
    '%%%',
    "'",
    '"',
    "' OR 1=1 --",
    '\\',
    '\0',
    'a\0b',
    '\n',
    '\u{1F600}',
    '\ufeff',
    '\u202e',
    'e\u0301',
  ],
  ...[
    '..',
    '../..',
    '/',
    'a/b',
    '__proto__',
    'constructor',
    'toString',
    '[object Object]',
    '*',
    'NEAR(',
    '"a" OR',
  ],
  ...[
    'total,platform',
    'total',
    ',,,',
    'x'.repeat(1500),
    'ULES-00288',
    'games',
    'videos',
    '[]',
    '{}',
    ' ',
    '+',
  ],
);
const names = fc.constantFrom(
  ...[
    'system',
    'q',
    'limit',
    'offset',
    'search',
    'platform',
    'region',
    'include',
    'x',
    '__proto__',
    'q[]',
    'q[a]',
  ],
);

describe('the account API', () => {
  test('responds to any query without a server error', () => expectNoQuery(150));
  test('responds to any query without a server error, 800 times', { tags: ['full'] }, () =>
    expectNoQuery(800),
  );

  async function expectNoQuery(numRuns: number): Promise<void> {
    const paths = fc.constantFrom(
      ...[
        '/api/releases',
        '/api/releases/1',
        '/api/facets',
        '/api/letters',
        '/api/store',
        '/api/imports',
      ],
      ...['/api/users', '/api/stats', '/api/auth/tokens', '/api/cover/1', '/api/openapi.json'],
    );
    const query = fc.array(fc.tuple(names, fc.oneof(piece, fc.string({ unit: 'binary' }))), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(paths, query, async (path, pairs) => {
        const wellFormed = pairs.map(([name, value]) => [name, value.toWellFormed()]);
        const text = wellFormed.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
        isDecent(await request('GET', `${path}?${text}`, { token: app.adminToken }));
      }),
      { numRuns },
    );
  }

  test('responds to any field of a body without a server error or a changed prototype', () =>
    expectNoField(120));
  test(
    'responds to any field of a body without a server error or a changed prototype, 500 times',
    { tags: ['full'] },
    () => expectNoField(500),
  );

  async function expectNoField(numRuns: number): Promise<void> {
    const routes = fc.constantFrom<readonly [string, string, readonly string[]]>(
      ['POST', '/api/auth/login', ['username', 'password', 'cookie']],
      ['POST', '/api/users', ['username', 'password', 'role']],
      ['PATCH', '/api/users/2', ['role', 'is_active', 'password', 'revoke_tokens']],
      ['PATCH', '/api/releases/1', ['name', 'region', 'serial', 'description', 'title', 'genre']],
      ['POST', '/api/auth/tokens', ['label', 'expires_in_days']],
      ['POST', '/api/auth/password', ['current', 'new']],
    );
    const value = fc.oneof(
      piece,
      fc.jsonValue(),
      fc.double(),
      fc.constantFrom(1e308, -0, 2 ** 53 + 2),
    );
    const extra = fc.constantFrom('__proto__', 'constructor', 'id', 'toString', 'hasOwnProperty');
    const writing = routes.chain(([method, path, fields]) =>
      fc.record({
        method: fc.constant(method),
        path: fc.constant(path),
        body: fc.dictionary(fc.oneof(fc.constantFrom(...fields), extra), value, { maxKeys: 5 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(writing, async ({ method, path, body }) => {
        const json = JSON.stringify(body).replaceAll('1e+308', '1e400');
        const headers = { 'content-type': 'application/json' };
        isDecent(await request(method, path, { token: app.adminToken, headers, body: json }));
      }),
      { numRuns },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { role?: unknown }).role).toBeUndefined();
  }

  test('responds to any path without a server error', () => expectNoPath(120));
  test('responds to any path without a server error, 600 times', { tags: ['full'] }, () =>
    expectNoPath(600),
  );
});

async function expectNoPath(numRuns: number): Promise<void> {
  const segment = fc.oneof(
    fc.constantFrom(
      ...['api', 'users', 'releases', 'store', 'download', 'cover', 'docs', 'static', 'games'],
    ),
    fc.constantFrom(
      ...[
        '..',
        '.',
        '',
        '%2e%2e',
        '%2F',
        '%5c',
        '%00',
        '%zz',
        '%',
        '%c0%ae',
        '%252e',
        ';',
        '*',
        '1',
      ],
    ),
    fc.constantFrom(
      ...[
        '%EF%BC%8F',
        '%E3%82',
        '-1',
        '99999999999999999999',
        'x'.repeat(3000),
        '~',
        '@',
        ':',
        '$&',
      ],
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(segment, { maxLength: 6 }),
      fc.constantFrom('GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS'),
      async (segments, method) => {
        const response = await request(method, `/api/${segments.join('/')}`, {
          token: app.adminToken,
        });
        expect(response.status).toBeLessThan(500);
        if (method !== 'HEAD' && response.status >= 400) isDecent(response);
      },
    ),
    { numRuns },
  );
}
