import { once } from 'node:events';
import * as http from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { makePerson, makeToken, makeUser } from '../support/data/people.ts';
import { startTestApp } from '../support/http/app.ts';
import { createRequester } from '../support/http/requester.ts';
import { addLargeGame, basicOf, type DavFixture, makeSet, startDav } from './dav-fixture.ts';

let dav: DavFixture;
beforeAll(async () => {
  dav = await startDav();
});
afterAll(() => dav.close());

const actor = { kind: 'system' } as const;
const statusOf = async (authorization: string) =>
  (await dav.request('GET', '/dav/', { authorization })).status;

describe('access to WebDAV', () => {
  test('requires a user name and an API token of that user', async () => {
    const { username, token } = dav.user;
    const other = await makeUser(dav.app, 'user');
    const web = await dav.app.catalog.accounts.login(
      { username: other.username, password: other.username, kind: 'web' },
      '127.0.0.1',
    );
    const challenge = await dav.request('PROPFIND', '/dav/', { authorization: '' });
    expect(challenge.status).toBe(401);
    expect(challenge.headers['www-authenticate']).toBe('Basic realm="Catalog", charset="UTF-8"');
    expect(await statusOf(basicOf(username, token))).toBe(200);
    expect(await statusOf(`Bearer ${token}`)).toBe(401);
    for (const wrong of [
      basicOf(username, 'x'),
      basicOf(username, username), // the password of the account
      basicOf(username, ''),
      basicOf(other.username, token),
      basicOf(other.username, web.token.value),
      'Basic',
      'Basic ****',
    ]) {
      const refused = await dav.request('GET', '/dav/', { authorization: wrong });
      expect([wrong, refused.status]).toEqual([wrong, 401]);
      expect(refused.headers['www-authenticate']).toContain('Basic');
    }
  });

  test('is limited to 44 concurrent lists, and a further list gets 503', async () => {
    const { exports } = dav.app.catalog;
    const read = exports.readPicture.bind(exports);
    const held = Promise.withResolvers<void>();
    exports.readPicture = async (source) => {
      await held.promise;
      return read(source);
    };
    onTestFinished(() => {
      exports.readPicture = read;
    });
    const path = '/dav/All/retroarch/thumbnails/Nintendo%20-%20Game%20Boy/Named_Boxarts/';
    const list = () => dav.request('PROPFIND', path, { headers: { depth: '1' } });
    const all = Array.from({ length: 46 }, list);
    const refused = await Promise.race(all);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    held.resolve();
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 207)).toHaveLength(44);
    expect((await list()).status).toBe(207);
  });

  test('continues for a planned tree while three other networks wait for theirs', async () => {
    const { exports, deviceTrees } = dav.app.catalog;
    const list = (host: number, path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const request = http.request(`${dav.app.url}${path}`, {
          ...{ method: 'PROPFIND', agent: false, localAddress: `127.0.0.${host}` },
          headers: { authorization: dav.basic, depth: '1' },
        });
        request.on('error', reject).on('response', (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        });
        request.end();
      });
    expect(await list(1, '/dav/All/rocknix/')).toBe(207);
    const tree = exports.tree.bind(exports);
    const open = deviceTrees.open.bind(deviceTrees);
    const arrived = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    exports.tree = async function* (request) {
      await held.promise;
      yield* tree(request);
    };
    let opened = 0;
    deviceTrees.open = (...args) => {
      opened += 1;
      if (opened === 12) arrived.resolve();
      return open(...args);
    };
    onTestFinished(() => {
      exports.tree = tree;
      deviceTrees.open = open;
    });
    const waiting = [2, 3, 4].flatMap((host) =>
      Array.from({ length: 4 }, () => list(host, '/dav/All/pegasus/')),
    );
    await arrived.promise;
    expect(await list(1, '/dav/All/rocknix/')).toBe(207);
    held.resolve();
    expect(await Promise.all(waiting)).toEqual(Array(12).fill(207));
  });

  test('ends during a list if the token is revoked', async () => {
    const { exports, accounts } = dav.app.catalog;
    const read = exports.readPicture.bind(exports);
    const person = await makePerson(dav.app, 'user');
    const authorization = basicOf(person.username, person.token);
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    exports.readPicture = async (source) => {
      begun.resolve();
      await held.promise;
      return read(source);
    };
    const clock = vi.spyOn(performance, 'now');
    onTestFinished(() => {
      clock.mockRestore();
      exports.readPicture = read;
    });
    const path = '/dav/All/batocera/gb/images/';
    const listing = dav.request('PROPFIND', path, { authorization, headers: { depth: '1' } });
    await begun.promise;
    await accounts.updateUser(person.id, { revokeTokens: true }, actor);
    const later = performance.now() + 2_000;
    clock.mockImplementation(() => later);
    held.resolve();
    expect((await listing).status).toBe(401);
  });

  test('counts wrong passwords as failed logins, and still accepts a valid token', async () => {
    const { username, token } = await makePerson(dav.app, 'user');
    for (let count = 0; count < 10; count += 1) {
      expect(await statusOf(basicOf(username, 'wrong'))).toBe(401);
    }
    const refused = await dav.request('GET', '/dav/', {
      authorization: basicOf(username, 'wrong'),
    });
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
    const login = { username, password: username, kind: 'api' as const };
    await expect(dav.app.catalog.accounts.login(login, '127.0.0.1')).rejects.toMatchObject({
      kind: 'too-many',
    });
    // A token cannot be guessed, so the user's devices keep their access.
    expect(await statusOf(basicOf(username, token))).toBe(200);
    const { items } = await auditOf();
    expect(items).toContainEqual(expect.objectContaining({ action: 'login.fail' }));
  });

  test('does not count revoked or expired tokens of the user as failed logins', async () => {
    const { catalog } = dav.app;
    const person = await makePerson(dav.app, 'user');
    await catalog.accounts.updateUser(person.id, { revokeTokens: true }, actor);
    const expired = await makeToken(dav.app, person, -1);
    for (let count = 0; count < 12; count += 1) {
      const token = count % 2 === 0 ? person.token : expired;
      expect(await statusOf(basicOf(person.username, token))).toBe(401);
    }
    const login = { username: person.username, password: person.username, kind: 'web' as const };
    expect(await catalog.accounts.login(login, '127.0.0.1')).toMatchObject({
      user: { id: person.id },
    });
    const other = await makeUser(dav.app, 'user');
    for (let count = 0; count < 10; count += 1) await statusOf(basicOf(other.username, expired));
    // The token of another user counts.
    expect(await statusOf(basicOf(other.username, expired))).toBe(429);
  });

  test('ends when the token is revoked or expires, and while the account is inactive', async () => {
    const person = await makePerson(dav.app, 'user');
    const authorization = basicOf(person.username, person.token);
    expect(await statusOf(authorization)).toBe(200);
    await dav.app.catalog.accounts.updateUser(person.id, { isActive: false }, actor);
    expect(await statusOf(authorization)).toBe(401);
    await dav.app.catalog.accounts.updateUser(person.id, { isActive: true }, actor);
    expect(await statusOf(authorization)).toBe(200);
    await dav.app.catalog.accounts.updateUser(person.id, { revokeTokens: true }, actor);
    expect(await statusOf(authorization)).toBe(401);
    const expired = await makeToken(dav.app, person, -1);
    expect(await statusOf(basicOf(person.username, expired))).toBe(401);
  });
});

async function auditOf() {
  const { adminToken, url } = dav.app;
  const { json } = await createRequester(url)('GET', '/api/audit?limit=50', { token: adminToken });
  return json as { items: object[] };
}

describe('a WebDAV download', () => {
  const size = 64 * 2 ** 30;
  const path = '/dav/All/es-de/ROMs/psx/Large%20(USA).iso';
  beforeAll(() => addLargeGame(dav, 'Large (USA)', size));

  async function start(authorization: string, headers: Record<string, string> = {}, at = path) {
    const request = http.get(`${dav.app.url}${at}`, {
      agent: false,
      headers: { authorization, ...headers },
    });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return response;
  }

  test('resumes at a requested offset after an interruption', async () => {
    const response = await start(dav.basic);
    expect(response.headers['content-length']).toBe(`${size}`);
    await once(response, 'data');
    response.destroy();
    const range = `bytes=${size - 5}-`;
    const rest = await start(dav.basic, { range, 'if-range': `${response.headers.etag}` });
    expect([rest.statusCode, rest.headers['content-range']]).toEqual([
      206,
      `bytes ${size - 5}-${size - 1}/${size}`,
    ]);
    expect((await rest.toArray()).join('')).toBe('\0'.repeat(5));
  });

  test.each(['token', 'account'] as const)(
    'is aborted when the %s with which it was started becomes invalid',
    async (lost) => {
      const person = await makePerson(dav.app, 'user');
      const response = await start(basicOf(person.username, person.token));
      await once(response, 'data');
      const change = lost === 'token' ? { revokeTokens: true } : { isActive: false };
      await dav.app.catalog.accounts.updateUser(person.id, change, actor);
      const failed = once(response, 'error');
      response.resume();
      expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
      expect(response.complete).toBe(false);
    },
  );

  test('is aborted when its set is deleted', async () => {
    const { catalog } = dav.app;
    const id = await makeSet(dav.app, 'Shared for a while');
    const person = await makePerson(dav.app, 'user');
    const at = path.replace('All', 'Shared%20for%20a%20while');
    const response = await start(basicOf(person.username, person.token), {}, at);
    await once(response, 'data');
    await catalog.sets.remove(id, 'everybody', actor);
    const failed = once(response, 'error');
    response.resume();
    expect(await failed).toMatchObject([{ code: 'ECONNRESET' }]);
  });
});

describe('WebDAV', () => {
  test('refuses every list with 403 while downloads from the library are off', async () => {
    const off = await startDav({ 'library-downloads': 'off' });
    try {
      for (const path of ['/dav/', '/dav/All/', '/dav/All/es-de/']) {
        const { status, json } = await off.request('PROPFIND', path, { headers: { depth: '1' } });
        expect([status, json]).toEqual([403, { detail: 'library downloads are off' }]);
      }
    } finally {
      await off.close();
    }
  });

  test('is served below the base path of the server', async () => {
    const below = await startTestApp({ 'base-path': '/catalog' });
    try {
      const { username, token } = await makePerson(below, 'user');
      const headers = { authorization: basicOf(username, token), depth: '1' };
      const request = createRequester(below.url);
      const { status, text } = await request('PROPFIND', '/catalog/dav', { headers });
      expect([status, text]).toEqual([
        207,
        expect.stringContaining('<D:href>/catalog/dav/</D:href>'),
      ]);
      expect((await request('PROPFIND', '/dav', { headers })).status).toBe(404);
    } finally {
      await below.close();
    }
  });
});
