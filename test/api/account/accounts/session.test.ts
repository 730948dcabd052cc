import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageVersion } from '../../../../src/http/page/page-files.ts';
import { importGames } from '../../../support/data/dats.ts';
import { makePerson, makeToken } from '../../../support/data/people.ts';
import { startTestApp, type TestApp } from '../../../support/http/app.ts';
import { createRequester, type Requester } from '../../../support/http/requester.ts';

let app: TestApp;
let request: Requester;
beforeAll(async () => {
  app = await startTestApp();
  request = createRequester(app.url);
});
afterAll(() => app.close());

describe('GET /session', () => {
  test('returns the number of releases and the build to an anonymous user', async () => {
    const { status, headers, json } = await request('GET', '/api/session');
    const { version } = (await request('GET', '/_app/version.json')).json;
    expect(version).toMatch(/^[0-9a-f]{64}$/);
    const anonymousSession = {
      user: null,
      releases: 0,
      version,
      sign_in_required: false,
      collection: false,
      library_downloads: true,
      catalogue_source: false,
    };
    expect([status, json]).toEqual([200, anonymousSession]);
    expect(headers['cache-control']).toBe('no-store');
  });

  test.each(['token', 'cookie'] as const)('returns the user who is signed in by %s', async (by) => {
    const { token } = await makePerson(app, 'editor');
    const { user } = (await request('GET', '/api/session', { [by]: token })).json;
    expect(user).toEqual((await request('GET', '/api/auth/me', { token })).json);
  });

  test('never responds 401, and treats a token that is not live as anonymous', async () => {
    const person = await makePerson(app, 'user');
    const expired = await makeToken(app, person, -1);
    await app.catalog.accounts.logout(person.token, '127.0.0.1');
    for (const token of ['cat_wrong', expired, person.token]) {
      for (const by of ['token', 'cookie'] as const) {
        const { status, json } = await request('GET', '/api/session', { [by]: token });
        expect([status, json.user]).toEqual([200, null]);
      }
    }
  });

  test('counts the releases of a new import at once', async () => {
    const releases = async () => (await request('GET', '/api/session')).json.releases;
    await importGames(app, ['One', 'Two']);
    expect(await releases()).toBe(2);
    await importGames(app, ['Three'], 'Test - Other');
    expect(await releases()).toBe(3);
  });
});

describe('the page version', () => {
  test('is undefined without a built page', () => {
    expect(pageVersion(new Map())).toBeUndefined();
  });
});
