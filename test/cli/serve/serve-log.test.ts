import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { fileForm, logIn, sendRequest } from '../../support/http/client.ts';
import { type Server, useSandbox } from '../../support/process.ts';

/** Parses every line of the log as an object. Fails if a line is not an object. */
function linesOf(log: string): Record<string, unknown>[] {
  const lines = log.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => {
    const entry = JSON.parse(line);
    expect(entry).toMatchObject({ level: expect.any(Number), msg: expect.any(String) });
    expect(new Date(entry.time).toISOString()).toBe(entry.time);
    return entry;
  });
}

describe('catalog serve', () => {
  test('logs its start, its stop and each request, in one line each', async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve(['--host', '0.0.0.0']);
    const lines = linesOf((await server.stop()).stderr);
    expect(lines.map((line) => line.msg)).toEqual([
      'serving',
      'request', // from the health check of this test
      'stopping: waiting for running requests',
      'stopped',
    ]);
    expect(lines[0]).toMatchObject({ data: sandbox.data, port: server.port });
    const request = { method: 'GET', path: '/api/health', status: 200, address: '127.0.0.1' };
    expect(lines[1]).toMatchObject(request);
  });

  test.each(['warn', 'silent'])(
    'logs nothing at level %s if nothing fails',
    { tags: ['full'] },
    async (level) => {
      const sandbox = await useSandbox();
      const server = await sandbox.serve(['--log-level', level]);
      expect((await server.stop()).stderr).toBe('');
    },
  );

  test('logs requests with hostile headers, paths and names as valid JSON lines', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve(['--log-level', 'debug']);
    const hostile = '\t"}\\n{"level":60,"msg":"forged"} \x1b[31m \u{2028}\xff';
    const heads = [
      `GET /api/releases?q=${encodeURIComponent(hostile)} HTTP/1.1\r\nUser-Agent: ${hostile}`,
      'GET /api/"},{"msg":"forged"} HTTP/1.1\r\nUser-Agent: x',
      'GET /api/%0a%0d{"msg":"forged"}%1b[2J%00 HTTP/1.1\r\nUser-Agent: x',
      'GET /api/%zz%c0%ae HTTP/1.1\r\nX-Forwarded-For: {"msg":"forged"}',
      `GET /api/${'a'.repeat(9000)} HTTP/1.1\r\nUser-Agent: x`,
      'BREW / HTTP/1.1\r\nUser-Agent: x',
      'no HTTP at all',
    ];
    for (const head of heads) await send(server, `${head}\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const login = { username: `${hostile}\r\n`, password: 'x' };
    await sendRequest(`${server.url}/api/auth/login`, { json: login });
    const form = fileForm('a\x1b[31m%0d%0a{}.iso', 'x');
    const token = await logIn(server.url);
    await sendRequest(`${server.url}/api/store/upload`, { token, ...form });

    const { stderr } = await server.stop();
    const lines = linesOf(stderr);
    expect(lines.filter((line) => line.msg === 'forged')).toEqual([]);
    expect(lines.filter((line) => line.msg === 'forged')).toEqual([]);
    expect(lines.filter((line) => Number(line.level) > 30)).toEqual([]);
    expect(stderr).not.toContain('\x1b');
    expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(2000);
    // Node's parser refuses three of the requests. The server logs them together in one line.
    const refused = lines.filter((line) => line.msg === 'refused malformed requests');
    expect(refused).toMatchObject([{ count: 3, address: '127.0.0.1' }]);
    // The statuses belong to the health check, four of the seven requests, two logins and the
    // upload. Node refuses the other three requests.
    expect(lines.filter((line) => line.msg === 'request').map((line) => line.status)).toEqual([
      200, 404, 404, 400, 404, 401, 200, 200,
    ]);
  });

  test('logs and prints no password, token or cookie, even at level debug (P1)', async () => {
    const sandbox = await useSandbox();
    const canary = 'canary-7f3a9';
    const admin = `${canary}-admin-password`;
    const server = await sandbox.serve(['--log-level', 'debug'], { CATALOG_ADMIN_PASSWORD: admin });
    const { url } = server;
    const token = await logIn(url, 'admin', admin);
    const api = (path: string, question = {}) =>
      sendRequest(`${url}/api${path}`, { token, ...question });
    const issued = await api('/auth/tokens', { json: { label: 'x' } });
    const user = { username: 'u', password: `${canary}-user` };
    const { json } = await api('/users', { json: user });
    await api(`/users/${json.id}`, { method: 'PATCH', json: { password: `${canary}-patched` } });
    const body = { current: `${canary}-wrong`, new: `${canary}-new` };
    await api('/auth/password', { json: body });
    await sendRequest(`${url}/api/auth/login`, {
      json: { username: 'u', password: `${canary}-wrong` },
    });
    await sendRequest(`${url}/api/auth/login`, {
      body: `{"password": "${canary}-cut`,
      headers: jsonType,
    });
    await sendRequest(`${url}/api/auth/login`, {
      json: { username: 'u', password: [`${canary}-list`] },
    });
    const cookie = `catalog_session=${canary}-cookie`;
    await sendRequest(`${url}/api/auth/me`, { headers: { cookie } });
    await sendRequest(`${url}/api/auth/me`, { token: `${canary}-token` });
    await sendRequest(`${url}/api/auth/me?token=${canary}-query&access_token=${canary}-query`);
    await send(server, `GET / HTTP/1.1\r\nAuthorization: Bearer ${canary}-raw\r\nbroken\r\n\r\n`);
    const passwd = ['users', 'passwd', 'u', '--password-stdin'];
    const changed = await sandbox.run(passwd, { stdin: `${canary}-stdin\n` });
    const { stdout, stderr } = await server.stop();
    linesOf(stderr);
    const all = stdout + stderr + changed.stdout + changed.stderr;
    for (const secret of [canary, token, issued.json.token]) expect(all).not.toContain(secret);
    expect(issued.json.token).toMatch(/^cat_/);
  });

  const jsonType = { 'content-type': 'application/json' };

  /** Sends raw bytes and waits until the connection is closed. */
  async function send(server: Server, text: string): Promise<void> {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    socket.resume().write(Buffer.from(text, 'latin1'));
    await once(socket, 'close');
  }

  test.each(['is reset', 'ends'])(
    'logs no warning or error for a body that %s early',
    { tags: ['full'] },
    async (how) => {
      const sandbox = await useSandbox();
      const server = await sandbox.serve();
      const token = await logIn(server.url);
      const json = ['application/json', '{"username'] as const;
      const form = ['multipart/form-data; boundary=x', '--x\r\nContent-Disp'] as const;
      const bodies: [string, readonly [string, string]][] = [
        ['POST /api/auth/login', json],
        ['POST /api/users', json],
        ['PATCH /api/users/1', json],
        ['POST /api/jobs', json],
        ['POST /api/store/upload', form],
        ['POST /api/cover/1', form],
      ];
      for (const [path, [type, start]] of bodies) {
        const socket = connect(server.port, '127.0.0.1');
        socket.on('error', () => {}).resume();
        const head = `Authorization: Bearer ${token}\r\nContent-Type: ${type}\r\nContent-Length: 1000`;
        await new Promise((resolve) =>
          socket.write(`${path} HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${start}`, resolve),
        );
        // Once the server has responded to a later request, it has also received this request.
        await sendRequest(`${server.url}/api/health`);
        if (how === 'ends') socket.end();
        else socket.resetAndDestroy();
        await once(socket, 'close');
      }
      const lines = linesOf((await server.stop()).stderr);
      expect(lines.filter(({ level }) => Number(level) > 30)).toEqual([]);
    },
  );

  test('logs no warning and no error for connections that clients reset', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const token = await logIn(server.url);
    const head = `Host: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    for (let turn = 0; turn < 20; turn += 1) {
      for (const path of [
        '/',
        '/api/releases',
        '/api/users',
        '/api/docs/',
        '/api/%zz',
        '/api/no',
      ]) {
        const socket = connect(server.port, '127.0.0.1').on('error', () => {});
        socket.write(`GET ${path} HTTP/1.1\r\n${head}`, () => socket.resetAndDestroy());
        await once(socket, 'close');
      }
    }
    expect((await sendRequest(`${server.url}/api/health`)).status).toBe(200);
    const lines = linesOf((await server.stop()).stderr);
    expect(lines.filter(({ level }) => Number(level) > 30)).toEqual([]);
  });

  test('logs a forbidden request with the name of its user', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const admin = await logIn(server.url);
    const json = { username: 'curious', password: 'x' };
    expect((await sendRequest(`${server.url}/api/users`, { token: admin, json })).status).toBe(200);
    const token = await logIn(server.url, 'curious', 'x');
    const statuses: number[] = [];
    for (const [path, by] of [
      ['/api/users', token],
      ['/api/auth/me', token],
      ['/api/users', 'cat_wrong'],
    ] as const) {
      statuses.push((await sendRequest(`${server.url}${path}`, { token: by })).status);
    }
    const headers = { cookie: `catalog_session=${token}`, 'sec-fetch-site': 'cross-site' };
    const crossing = { method: 'POST', headers };
    statuses.push((await sendRequest(`${server.url}/api/auth/tokens`, crossing)).status);
    const lines = linesOf((await server.stop()).stderr);
    const requests = lines.filter(({ msg }) => msg === 'request').slice(-4);
    expect(requests.map(({ status, user }) => [status, user])).toEqual([
      [403, 'curious'],
      [200, undefined],
      [401, undefined],
      [403, 'curious'],
    ]);
    expect(statuses).toEqual([403, 200, 401, 403]);
  });
});
