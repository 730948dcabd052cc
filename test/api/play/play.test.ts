import { execFile } from 'node:child_process';
import { once } from 'node:events';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createAccountApi } from '../../../src/http/account-api/app.ts';
import type { CompletedRequest } from '../../../src/http/shared/server/request-log.ts';
import { createLog } from '../../../src/program/log.ts';
import { openDatabaseOf, withDatabaseOf } from '../../support/data/database-of.ts';
import { makePerson } from '../../support/data/people.ts';
import { createRequester } from '../../support/http/requester.ts';
import { toolsSkipReason } from '../../support/tools.ts';
import { gamesFolder, type PlayedSet, startPlayedSet } from './played-set.ts';

const odd = `100% #1 & “Ä?” 'ファイナル' [x] (Japan).iso`.replaceAll('?', '+');
const large = 'Large (Japan).iso';
const small = 'Small (Japan).cso';

const noRclone = toolsSkipReason('rclone');

let played: PlayedSet;
beforeAll(async () => {
  played = await startPlayedSet(
    { [small]: 1_000, [odd]: 20, [large]: 24 * 1_048_576 },
    { 'trusted-proxy': '127.0.0.1' },
  );
});
afterAll(() => played.close());

const actor = { kind: 'system' } as const;
let clients = 0;
/** Sends a request from a client with an address of its own, so that failures do not add up. */
function request(path: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET') {
  clients += 1;
  const address = `198.51.${Math.floor(clients / 250)}.${clients % 250}`;
  return played.request(method, path, { headers: { 'x-forwarded-for': address, ...headers } });
}
const fileOf = (path: string, name: string) => `${path}${gamesFolder}/${encodeURIComponent(name)}`;
const secretOf = (path: string) => path.split('/')[2] ?? '';

interface Download {
  readonly kind: string;
  readonly name: string;
}
const downloads = async () =>
  (await played.request('GET', '/api/auth/downloads', { token: played.user.token })).json
    .items as Download[];
const devices = async () =>
  (await played.request('GET', '/api/devices', { token: played.user.token })).json.items as {
    readonly id: number;
    readonly last_file: string | null;
    readonly last_used_at: string | null;
  }[];

describe('the address of a device', () => {
  test('lists folders as text for PPSSPP and as HTML for other programs', async () => {
    const { path } = await played.connect();
    const accept = 'text/plain, text/html; q=0.9, */*; q=0.8';
    const text = await request(`${path}${gamesFolder}`, { accept });
    expect([text.status, text.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    const names = [odd, large, small].sort();
    const lines = text.text.trimEnd().split('\n');
    expect(lines.map(decodeURIComponent).sort()).toEqual(names);
    expect(lines.filter((line) => !/^[\w%.~-]+$/.test(line))).toEqual([]);
    expect(Number(text.headers['content-length'])).toBe(text.body.byteLength);
    const top = await request(path, { accept });
    expect(top.text.split('\n')).toContain('ROMs/');
    const old = await request(path, { accept: '*/*', 'user-agent': 'PPSSPP/v1.12' });
    expect(old.headers['content-type']).toBe('text/plain; charset=utf-8');
    for (const kind of ['text/html,*/*;q=0.8', '*/*', 'text/html, text/plain;q=0.5']) {
      const { headers } = await request(`${path}${gamesFolder}/`, { accept: kind });
      expect([kind, headers['content-type']]).toEqual([kind, 'text/html; charset=utf-8']);
    }
  });

  test('lists HTML links with the decoded names as texts, and quotes only URLs', async () => {
    const { path } = await played.connect();
    const { text, headers } = await request(`${path}${gamesFolder}/`);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const found = [...text.matchAll(/^<a href="([^"]*)">(.*)<\/a> (.*)$/gm)];
    const links = found.map(([, link = '', name = '']) => [decodeURIComponent(link), decode(name)]);
    expect(links.filter(([link, name]) => link !== name)).toEqual([]);
    expect(links.map(([link]) => link).sort()).toEqual([odd, large, small].sort());
    expect(found[0]?.[3]).toMatch(/^\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d \d+$/);
    const quoted = [...text.matchAll(/"([^"]*)"/g)].map(([, each]) => each);
    expect(quoted).toEqual(['../', ...found.map(([, link]) => link)]);
    expect((await request(path)).text).not.toContain('../');
  });

  test('redirects a folder without a slash, and responds to HEAD for listings', async () => {
    const { path } = await played.connect();
    const { status, headers } = await request(`${path}ROMs`);
    expect([status, headers.location]).toEqual([302, 'ROMs/']);
    const head = await request(path, {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBe((await request(path)).body.byteLength);
  });

  test('sends files with unusual names, and supports ranges, validators and HEAD', async () => {
    const { path } = await played.connect();
    for (const name of [odd, small]) {
      const { status, body, headers } = await request(fileOf(path, name));
      expect([name, status, body.equals(played.files.get(name) ?? Buffer.of())]).toEqual([
        ...[name, 200, true],
      ]);
      expect(headers['cache-control']).toBe('private, no-cache');
    }
    const file = fileOf(path, small);
    const head = await request(file, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.headers['accept-ranges']]).toEqual([
      ...[200, '1000', 'bytes'],
    ]);
    const part = await request(file, { range: 'bytes=10-19' });
    expect([part.status, part.headers['content-range'], part.headers['transfer-encoding']]).toEqual(
      [206, 'bytes 10-19/1000', undefined],
    );
    expect(part.body).toEqual(played.files.get(small)?.subarray(10, 20));
    expect((await request(file, { range: 'bytes=1000-' })).status).toBe(416);
    const { etag } = head.headers;
    expect((await request(file, { 'if-none-match': String(etag) })).status).toBe(304);
  });

  test('is not found for another profile, file or secret, and accepts no writes', async () => {
    const { path } = await played.connect();
    const secret = secretOf(path);
    const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'E' : 'A'}`;
    const paths = [
      `/play/${secret}/batocera/`,
      `/play/${secret}/`,
      `/play/${secret}`,
      `${path}none`,
      `${path}${gamesFolder}/../../../x`,
      `/play/${wrong}/es-de/`,
      `/play/${secret}x/es-de/`,
      '/play/',
    ];
    const responses = await Promise.all(paths.map((each) => request(each)));
    expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 404));
    expect(responses[0]?.json).toEqual({ detail: 'not found' });
    expect((await request(path, {}, 'PUT')).status).toBe(405);
    expect((await request(path)).status).toBe(200);
  });

  test('is not found once revoked, expired, or without its active owner or set', async () => {
    const of = async (path: string) => (await request(path)).status;
    const revoked = await played.connect();
    expect(await of(revoked.path)).toBe(200);
    await played.request('DELETE', `/api/devices/${revoked.id}`, { token: played.user.token });
    expect(await of(revoked.path)).toBe(404);

    const expired = await played.connect({ expires_in_days: 1 });
    expect(await of(expired.path)).toBe(200);
    await withDatabaseOf(played.app, (engine) =>
      engine.write(async (trx) => {
        const values = { expires_at: '2026-01-01T00:00:00.000Z' };
        await trx.updateTable('device').set(values).where('id', '=', expired.id).execute();
      }),
    );
    await expect.poll(() => of(expired.path)).toBe(404);

    const { accounts } = played.app.catalog;
    const own = await played.connect();
    await accounts.updateUser(played.user.id, { isActive: false }, actor);
    expect(await of(own.path)).toBe(404);
    await accounts.updateUser(played.user.id, { isActive: true }, actor);
    expect(await of(own.path)).toBe(200);

    const { token, username } = played.user;
    const json = { current: username, new: 'next', revoke_others: true };
    await played.request('POST', '/api/auth/password', { token, json });
    expect(await of(own.path)).toBe(404);

    const set = { name: 'Short', rule: { all: [] } };
    const { id } = (await played.request('POST', '/api/sets', { token, json: set })).json;
    const ofSet = await played.connect({ set_id: id });
    expect(await of(ofSet.path)).toBe(200);
    await played.request('DELETE', `/api/sets/${id}`, { token });
    expect(await of(ofSet.path)).toBe(404);
  });

  test('is not found once its owner does not see the shared set any more', async () => {
    const editor = await makePerson(played.app, 'editor');
    const set = { name: 'Lent', rule: { all: [] }, shared: true };
    const { id } = (await played.request('POST', '/api/sets', { token: editor.token, json: set }))
      .json;
    const { path } = await played.connect({ set_id: id });
    expect((await request(path)).status).toBe(200);
    const change = { token: editor.token, json: { shared: false } };
    await played.request('PATCH', `/api/sets/${id}`, change);
    expect((await request(path)).status).toBe(404);
  });

  test('stops sending a file when its owner is deactivated meanwhile', async () => {
    const { path } = await played.connect();
    const url = `${played.app.url}${fileOf(path, large)}`;
    const outgoing = http.get(url, { agent: false });
    const [response] = (await once(outgoing, 'response')) as [http.IncomingMessage];
    response.pause();
    const { accounts } = played.app.catalog;
    await accounts.updateUser(played.user.id, { isActive: false }, actor);
    onTestFinished(async () => {
      await accounts.updateUser(played.user.id, { isActive: true }, actor);
    });
    // A check that takes a query is repeated after a second.
    const later = performance.now() + (played.app.catalog.devices.requiresQuery ? 2_000 : 0);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
    onTestFinished(() => clock.mockRestore());
    let bytes = 0;
    response.on('data', (piece: Buffer) => {
      bytes += piece.byteLength;
    });
    response.resume();
    await expect(once(response, 'end')).rejects.toThrow('aborted');
    expect(bytes).toBeLessThan(24 * 1_048_576);
  });

  test('counts wrong secrets like failed logins, and still accepts right secrets', async () => {
    const { path } = await played.connect();
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const wrong = `/play/${'x'.repeat(43)}/es-de/`;
    const statuses: number[] = [];
    for (let turn = 0; turn < 11; turn += 1) {
      statuses.push((await request(wrong, headers)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(404), 429]);
    expect((await request(path, headers)).status).toBe(200);
    expect((await request(wrong)).status).toBe(404);
  });
});

describe('reads of a device', () => {
  test('are recorded as one `stream` download per file, and not as archive downloads', async () => {
    const { id, path } = await played.connect();
    const before = (await downloads()).length;
    await request(fileOf(path, small), {}, 'HEAD');
    await request(path);
    const used = (await devices()).find((each) => each.id === id);
    expect([used?.last_file, used?.last_used_at]).toEqual([null, expect.any(String)]);
    for (const range of ['bytes=5-9', 'bytes=0-3', 'bytes=990-']) {
      await request(fileOf(path, small), { range });
    }
    await request(fileOf(path, odd), { range: 'bytes=1-1' });
    const added = (await downloads()).slice(0, (await downloads()).length - before);
    expect(added).toEqual(
      [odd, small].map((name) => ({
        ...{ id: expect.any(Number), created_at: expect.stringMatching(/Z$/), kind: 'stream' },
        ...{ username: played.user.username, system: 'games', name },
        bytes: played.files.get(name)?.byteLength,
      })),
    );
    const device = (await devices()).find((each) => each.id === id);
    expect(device?.last_file).toBe(`${gamesFolder}/${odd}`);
    const { json } = await played.request('GET', '/api/stats', { token: played.app.adminToken });
    expect([json.downloads, json.recent]).toEqual([0, []]);
  });

  test('leave no trace of the secret in logs, metrics, the audit and the database', async () => {
    const lines: string[] = [];
    const completed: CompletedRequest[] = [];
    const own = { basePath: '/base', corsOrigins: [], requireSignIn: false, version: '0' };
    const app = await createAccountApi(
      { ...played.app.catalog, ...own, archiveSender: 'direct' },
      {
        log: createLog('info', (line) => void lines.push(line)),
        ...{ accessLog: true, basePath: '/base', publicUrls: [], trustedProxies: [] },
        isStopping: () => false,
        onRequestCompleted: (request) => completed.push(request),
      },
    );
    onTestFinished(() => app.close());
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const send = createRequester(`http://127.0.0.1:${port}`);
    const { path } = await played.connect();
    const secret = secretOf(path);
    const paths = [
      `/base${fileOf(path, small)}`,
      `/base/%70lay/${secret}/es-de/`,
      `/base/pla%79/${[...secret].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('')}/`,
      `/base/play/${secret}/es-de/%zz`,
      `/play/${secret}/es-de/`,
      `/base/PLAY/${secret}`,
      `/pl%61y/${secret}/es-de/ROMs/play/x`,
    ];
    const statuses: number[] = [];
    for (const url of paths) statuses.push((await send('GET', url)).status);
    statuses.push((await send('PUT', `/base${path}`)).status);
    expect(statuses).toEqual([200, 200, 404, 400, 404, expect.any(Number), 404, 405]);
    const logged = lines.map((line) => JSON.parse(line).path as string | undefined);
    expect(logged.filter((each) => each !== undefined)).toHaveLength(8);
    expect(decodeURIComponent(lines.join('\n'))).not.toContain(secret);
    expect(JSON.stringify(completed)).not.toContain(secret);
    expect(completed[0]?.route).toBe('/play/*');
    const database = await openDatabaseOf(played.app);
    onTestFinished(() => database.close());
    const read = database.read;
    const rows = [
      await read.selectFrom('audit').selectAll().execute(),
      await read.selectFrom('device').selectAll().execute(),
      await read.selectFrom('login_try').selectAll().execute(),
      await read.selectFrom('download_event').selectAll().execute(),
    ];
    expect(rows.every((each) => each.length > 0)).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });
});

describe('the address of a device with other clients and options', () => {
  test.skipIf(noRclone !== null)(`is listed and copied by rclone ${noRclone ?? ''}`, async () => {
    const { path } = await played.connect();
    const run = (...args: string[]) =>
      promisify(execFile)('rclone', [...args, '--http-url', `${played.app.url}${path}`], {
        encoding: 'buffer',
      });
    const listed = await run('lsf', '-R', '--files-only', ':http:ROMs');
    const names = listed.stdout.toString().trimEnd().split('\n').sort();
    expect(names.filter((name) => name.startsWith('psp/'))).toEqual(
      [odd, large, small].map((name) => `psp/${name}`).sort(),
    );
    for (const name of [odd, small]) {
      const { stdout } = await run('cat', `:http:${gamesFolder}/${name}`);
      expect(stdout.equals(played.files.get(name) ?? Buffer.of())).toBe(true);
    }
  });

  test('begins with the base path of the server', async () => {
    const below = await startPlayedSet({ 'A (Japan).iso': 10 }, { 'base-path': '/catalog' });
    onTestFinished(() => below.close());
    const { path } = await below.connect();
    expect(path).toMatch(/^\/catalog\/play\/[\w-]{43}\/es-de\/$/);
    const { body } = await below.request('GET', fileOf(path, 'A (Japan).iso'));
    expect(body).toEqual(below.files.get('A (Japan).iso'));
    expect((await below.request('GET', path.replace('/catalog', ''))).status).toBe(404);
  });

  test('responds 403 with `--library-downloads off`', async () => {
    const off = await startPlayedSet({ 'A (Japan).iso': 10 }, { 'library-downloads': 'off' });
    onTestFinished(() => off.close());
    const { path } = await off.connect();
    const { status, json } = await off.request('GET', path);
    expect([status, json]).toEqual([403, { detail: 'library downloads are off' }]);
  });
});

function decode(html: string): string {
  const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', '#34': '"' };
  return html.replace(/&(amp|lt|gt|#34|#39);/g, (_, name: string) => names[name] ?? "'");
}
