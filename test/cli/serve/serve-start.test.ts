import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/settings/config.ts';
import { openCatalog } from '../../../src/wire/open-catalog.ts';
import { freePort } from '../../support/free-port.ts';
import { logIn, sendRequest } from '../../support/http/client.ts';
import { connectionAt, isListening } from '../../support/http/connections.ts';
import { type Sandbox, useSandbox } from '../../support/process.ts';

const FIRST_ACCOUNT = /^Created the first account\. Username: admin, password: (\S+)$/gm;
const noPassword = { CATALOG_ADMIN_PASSWORD: '' };

describe('catalog serve', () => {
  test('prints a working password at the first start only, and never logs it', async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve(['--log-level', 'debug'], noPassword);
    const found = [...server.stdout.matchAll(FIRST_ACCOUNT)];
    expect(found).toHaveLength(1);
    const password = found[0]?.[1] ?? '';
    expect(password).toMatch(/^[\w-]{20}$/);
    expect(server.stdout.match(/^Catalog is at http:\/\/127\.0\.0\.1:\d+$/gm)).toHaveLength(1);
    await logIn(server.url, 'admin', password);
    const first = await server.stop();
    expect(first.code).toBe(0);
    expect(first.stderr).not.toContain(password);

    const second = await sandbox.serve([], noPassword);
    await logIn(second.url, 'admin', password);
    const { stdout, stderr } = await second.stop();
    expect(stdout).toMatch(/^Catalog is at \S+\n$/);
    expect(stderr).not.toContain(password);
  });

  test('uses CATALOG_ADMIN_PASSWORD at the first start only, and does not print it', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve([], { CATALOG_ADMIN_PASSWORD: 'from the environment' });
    await logIn(server.url, 'admin', 'from the environment');
    const { stdout, stderr } = await server.stop();
    expect(stdout + stderr).not.toContain('from the environment');

    const again = await sandbox.serve([], { CATALOG_ADMIN_PASSWORD: 'another one' });
    await logIn(again.url, 'admin', 'from the environment');
    await expect(logIn(again.url, 'admin', 'another one')).rejects.toThrow('401');
  });

  test('refuses to start without an active admin, in one line that says what to do', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    await addUser(sandbox, 'admin', 'editor');
    const refused = await sandbox.run(['serve', '--port', '0']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^catalog: there is no active admin, .*users add NAME.*\n$/);
    await addUser(sandbox, 'root', 'admin');
    const server = await sandbox.serve();
    expect(server.stdout).not.toMatch(FIRST_ACCOUNT);
  });

  test('names --port if the port is taken, and creates the first account at the next start', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const { port } = await takePort();
    const args = ['serve', '--host', '127.0.0.1', '--port', String(port)];
    const stderr = `catalog: --port: port ${port} is in use, choose another one\n`;
    expect(await sandbox.run(args)).toMatchObject({ code: 1, stdout: '', stderr });
    const next = await sandbox.serve([], noPassword);
    const [found] = [...next.stdout.matchAll(FIRST_ACCOUNT)];
    await logIn(next.url, 'admin', found?.[1]);
  });

  test('can be started three times at once on a new data folder, and prints one password', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const servers = await Promise.all([1, 2, 3].map(() => sandbox.serve([], noPassword)));
    const passwords = servers.flatMap(({ stdout }) =>
      [...stdout.matchAll(FIRST_ACCOUNT)].map(([, password]) => password),
    );
    expect(passwords).toHaveLength(1);
    for (const { url } of servers) await logIn(url, 'admin', passwords[0]);
    for (const server of servers) expect((await server.stop()).code).toBe(0);
    const { stdout } = await sandbox.run(['users', 'list']);
    expect(stdout).toMatch(/^admin\tadmin\tactive\t.+\n$/);
  });

  test('creates one first account in three concurrent starts', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const config = readConfig({ data: sandbox.data }, {});
    const open = () => openCatalog(config, { warn() {} });
    const catalogs = [await open(), await open(), await open()];
    onTestFinished(async () => {
      for (const catalog of catalogs) await catalog.close();
    });
    const made = await Promise.all(catalogs.map(({ accounts }) => accounts.ensureAdmin(undefined)));
    expect(made.filter((one) => one !== null)).toEqual([{ generated: expect.any(String) }]);
  });

  test('responds to no request until the first account exists', async () => {
    const sandbox = await useSandbox();
    await addUser(sandbox, 'somebody', 'user');
    const database = new Database(join(sandbox.data, 'catalog.db'));
    onTestFinished(() => void database.close());
    database.exec('BEGIN IMMEDIATE'); // prevents the creation of the account
    const port = await freePort();
    const args = ['serve', '--host', '127.0.0.1', '--port', String(port)];
    const server = sandbox.start(args, { CATALOG_ADMIN_PASSWORD: 'admin-password' });
    await expect.poll(() => isListening(port)).toBe(true);
    const json = JSON.stringify({ username: 'admin', password: 'admin-password' });
    const type = `Content-Type: application/json\r\nContent-Length: ${json.length}`;
    const login = await send(port, 'POST /api/auth/login', `${type}\r\nConnection: close`, json);
    // The server must not respond to a health request before the account exists. Otherwise, it
    // would respond to this request before it reads the next one.
    const health = await send(port, 'GET /api/health');
    await send(port, 'GET /api/health');
    expect([login.received, health.received, server.stdout]).toEqual(['', '', '']);
    database.exec('ROLLBACK');
    await login.closed;
    expect(login.received).toMatch(/^HTTP\/1\.1 200 [\s\S]+"cat_/);
  });

  test('sends no response if it starts without an active admin', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    await addUser(sandbox, 'admin', 'editor');
    const port = await freePort();
    const args = ['serve', '--host', '127.0.0.1', '--port', String(port)];
    const database = new Database(join(sandbox.data, 'catalog.db'));
    onTestFinished(() => void database.close());
    database.exec('BEGIN IMMEDIATE');
    const server = sandbox.start(args);
    await expect.poll(() => isListening(port)).toBe(true);
    const pending = await send(port, 'GET /api/releases');
    database.exec('ROLLBACK');
    await pending.closed;
    expect(pending.received).toBe('');
    const stderr = expect.stringMatching(/^catalog: there is no active admin, .+\n$/);
    expect(await server.ended).toMatchObject({ code: 1, stdout: '', stderr });
  });

  for (const [host, tags] of [
    ['198.51.100.1', []],
    ['no-such-host.invalid', ['full']],
  ] as const) {
    test(`refuses to listen on ${host}, and names this host`, { tags: [...tags] }, async () => {
      const sandbox = await useSandbox();
      const { code, stderr } = await sandbox.run(['serve', '--host', host, '--port', '0']);
      expect(stderr).toMatch(
        new RegExp(`^catalog: --host: "${host.replaceAll('.', '\\.')}" is not an .+\\n$`),
      );
      expect(code).toBe(1);
    });
  }

  test('refuses a file as data folder, and an invalid database, in one line each', async () => {
    const sandbox = await useSandbox();
    const file = join(sandbox.folder, 'file');
    await writeFile(file, 'not a database, but long enough to be read as one'.repeat(100));
    const inFile = await sandbox.run(['serve', '--port', '0', '--data', file]);
    expect(inFile.stderr).toMatch(/^catalog: the data folder .+ cannot be used: .+\n$/);
    await writeFile(join(sandbox.folder, 'catalog.db'), 'x'.repeat(5000));
    const broken = await sandbox.run(['serve', '--port', '0', '--data', sandbox.folder]);
    expect(broken.stderr).toMatch(/^catalog: .+catalog\.db is not a database\n$/);
    expect([inFile.code, broken.code]).toEqual([1, 1]);
  });

  test('prints a URL that can be opened when it listens on IPv6', { tags: ['full'] }, async ({
    skip,
  }) => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve(['--host', '::1']).catch((error: Error) => error);
    if (server instanceof Error) return skip(`skipped: needs IPv6: ${server.message}`);
    expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await sendRequest(`${server.url}/api/health`)).status).toBe(200);
  });
});

async function addUser(sandbox: Sandbox, name: string, role: string): Promise<void> {
  const args = ['users', 'add', name, '--role', role, '--password-stdin'];
  expect(await sandbox.run(args, { stdin: 'a password\n' })).toMatchObject({ code: 0, stderr: '' });
}

/** Sends a request. Resolves when the server has read the request. */
async function send(port: number, target: string, head = 'X: x', body = '') {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const sent = {
    received: '',
    closed: new Promise<void>((resolve) => socket.on('close', () => resolve())),
  };
  socket.setEncoding('latin1').on('data', (text) => {
    sent.received += text;
  });
  await once(socket, 'connect');
  const text = `${target} HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n${body}`;
  await new Promise((resolve) => socket.write(text, resolve));
  await expect.poll(() => connectionAt(port, socket.localPort)).toMatchObject({ unread: 0 });
  return sent;
}

async function takePort(): Promise<{ port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port };
}
