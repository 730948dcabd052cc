import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeBigDat } from '../support/data/big-dat.ts';
import {
  type ClientRequestOptions,
  type ClientResponse,
  fileForm,
  logIn,
  sendRequest,
} from '../support/http/client.ts';
import { openSandbox, type Sandbox, type Server } from '../support/process.ts';

let sandbox: Sandbox;
let server: Server;
let token: string;
beforeAll(async () => {
  sandbox = await openSandbox();
  const dat = join(sandbox.folder, 'one.dat');
  await writeBigDat(dat, 1);
  expect(await sandbox.run(['import', dat])).toMatchObject({ code: 0 });
  server = await sandbox.serve(['--log-level', 'warn']);
  token = await logIn(server.url);
  const form = fileForm('archive.iso', 'the archive');
  expect((await as('store/upload', form)).status).toBe(200);
  const json = { username: 'other', password: 'other', role: 'user' };
  expect((await as('users', { json })).status).toBe(200);
});
afterAll(() => sandbox.close());

describe('the program with a locked database', () => {
  // The process of this test locks the database.
  test('refuses writes with 503 `busy`, but serves reads', async () => {
    // The server records the first use of a token. A download while the database is locked
    // therefore causes a further write.
    const fresh = (await as('auth/tokens', { json: {} })).json.token;
    const release = (await as('releases/1')).text;
    const others = (await as('users')).json.items.at(-1);
    expect(others.username).toBe('other');
    const writes: [string, ClientRequestOptions][] = [
      ['auth/login', { json: { username: 'other', password: 'other' } }],
      ['auth/tokens', { json: {} }],
      ['users', { json: { username: 'late', password: 'p' } }],
      [`users/${others.id}`, { method: 'PATCH', json: { is_active: false } }],
      [`users/${others.id}`, { method: 'DELETE' }],
      ['releases/1', { method: 'PATCH', json: { name: 'Other' } }],
      ['cover/1', fileForm('cover.jpg', 'x')],
      ['store/upload', fileForm('archive.iso', 'another')],
      ['store/games/archive.iso', { method: 'DELETE' }],
    ];
    const unlock = lock(join(sandbox.data, 'catalog.db'));
    let responseCount = 0;
    const written = Promise.all(
      writes.map(async ([path, question]) => {
        const response = await as(path, question);
        responseCount += 1;
        return { path, response };
      }),
    );
    const paths = ['releases?q=x', 'releases/1', 'store', 'auth/me', 'users', 'health'];
    const reads = await Promise.all(
      paths.map(async (path) => ({ path, status: (await as(path)).status })),
    );
    expect(reads).toEqual(paths.map((path) => ({ path, status: 200 })));
    for (const response of await Promise.all([token, fresh].map(download))) {
      expect(response).toMatchObject({ status: 200, text: 'the archive' });
    }
    expect(responseCount).toBe(0); // no read waited until the writes had failed
    for (const { path, response } of await written) expectBusy(path, response);
    unlock();

    // Nothing has changed and no leftovers exist. In the end, the downloads are counted.
    const downloads = async () => (await as('stats')).json.downloads;
    await expect.poll(downloads).toBe(2);
    expect((await as('releases/1')).text).toBe(release);
    expect((await as('stats')).json).toMatchObject({ users: 2, covers: 0 });
    expect((await download(token)).text).toBe('the archive');
    expect(await readdir(join(sandbox.data, 'tmp'))).toEqual([]);
    expect(await logIn(server.url, 'other', 'other')).toMatch(/^cat_/);
    expect((await as('users', { json: { username: 'late', password: 'p' } })).status).toBe(200);
    expect(server.stderr).not.toMatch(/"level":[56]0/);
    expect(server.stderr).not.toContain('lost');
  });

  test('starts and stops a server, and refuses to add a user', { tags: ['full'] }, async () => {
    const unlock = lock(join(sandbox.data, 'catalog.db'));
    const second = await sandbox.serve();
    const add = ['users', 'add', 'x', '--role', 'user', '--password-stdin'];
    await sendRequest(`${second.url}/api/store/download/games/archive.iso`, { token });
    const [list, added, stopped] = await Promise.all([
      sandbox.run(['users', 'list']),
      sandbox.run(add, { stdin: 'x\n' }),
      second.stop(),
    ]);
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(added).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'catalog: busy: another process is writing, try again\n',
    });
    expect(stopped.code).toBe(0);
    unlock();
  });
});

function as(path: string, question: ClientRequestOptions = {}): Promise<ClientResponse> {
  return sendRequest(`${server.url}/api/${path}`, { token, ...question });
}

function download(bearer: string): Promise<ClientResponse> {
  return sendRequest(`${server.url}/api/store/download/games/archive.iso`, { token: bearer });
}

function expectBusy(path: string, response: ClientResponse): void {
  const { status, json } = response;
  expect({ path, status, json }).toEqual({ path, status: 503, json: { detail: 'busy' } });
  expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
}

function lock(file: string): () => void {
  const database = new Database(file);
  database.exec('begin immediate');
  return () => {
    database.exec('rollback');
    database.close();
  };
}
