import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, ask, fileForm, logIn } from '../support/client.ts';
import { openSandbox, type Sandbox, type Server } from '../support/process.ts';

const LOCKED_MS = 10_000;
let sandbox: Sandbox;
let server: Server;
let token: string;
beforeAll(async () => {
  sandbox = await openSandbox();
  server = await sandbox.serve(['--log-level', 'warn']);
  token = await logIn(server.url);
  const form = fileForm('archive.iso', 'the archive');
  await ask(`${server.url}/api/store/upload`, { token, ...form });
});
afterAll(() => sandbox.close());

// F7. The process of this test is the one that holds the lock.
test('while another process holds the write lock for 10 s, reads go on and writes are told within 5 s', async () => {
  const { url } = server;
  // Its first use would be noted, so that a download under the lock notes one more write.
  const fresh = (await ask(`${url}/api/auth/tokens`, { token, json: {} })).json.token;
  const unlock = lock(join(sandbox.data, 'catalog.db'));
  const start = performance.now();
  const reads = readFor(url, LOCKED_MS - 1000);
  const download = (bearer: string) =>
    ask(`${url}/api/store/download/games/archive.iso`, { token: bearer });
  const [user, edit, upload, login, removal, first, second] = await Promise.all([
    ask(`${url}/api/users`, { token, json: { username: 'u', password: 'p' } }),
    ask(`${url}/api/auth/tokens`, { token, json: {} }),
    ask(`${url}/api/store/upload`, { token, ...fileForm('archive.iso', 'another') }),
    ask(`${url}/api/auth/login`, { json: { username: 'admin', password: 'admin-password' } }),
    ask(`${url}/api/store/games/archive.iso`, { method: 'DELETE', token }),
    download(token),
    download(fresh),
  ]);
  for (const answer of [user, edit, upload, removal]) expectBusy(answer);
  expect([200, 503]).toContain(login.status);
  expect(login.ms).toBeLessThan(5000);
  for (const answer of [first, second]) {
    expect(answer).toMatchObject({ status: 200, text: 'the archive' });
    expect(answer.ms).toBeLessThan(1000);
  }
  const times = await reads;
  expect(times.length).toBeGreaterThan(100);
  expect(times[Math.floor(times.length * 0.99)]).toBeLessThan(100);
  await setTimeout(LOCKED_MS - (performance.now() - start));
  unlock();

  const after = await ask(`${url}/api/users`, { token, json: { username: 'u', password: 'p' } });
  expect(after.status).toBe(200);
  await setTimeout(2500); // what was only noted is tried again
  const { json } = await ask(`${url}/api/stats`, { token });
  expect(json.downloads).toBe(2);
  expect(await download(token)).toMatchObject({ text: 'the archive' });
  expect(server.stderr).not.toMatch(/"level":[56]0/);
  expect(server.stderr).not.toContain('lost');
});

test('a server and a command start while the lock is held, and stop within 7 s', async () => {
  const unlock = lock(join(sandbox.data, 'catalog.db'));
  const second = await sandbox.serve();
  const add = ['users', 'add', 'x', '--role', 'user', '--password-stdin'];
  await ask(`${second.url}/api/store/download/games/archive.iso`, { token });
  const start = performance.now();
  const [list, added, stopped] = await Promise.all([
    sandbox.run(['users', 'list']),
    sandbox.run(add, { stdin: 'x\n' }),
    second.stop(),
  ]);
  expect(performance.now() - start).toBeLessThan(7000);
  expect(list).toMatchObject({ code: 0, stderr: '' });
  expect(added).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'catalog: busy: another process is writing, try again\n',
  });
  expect(stopped.code).toBe(0);
  unlock();
});

function expectBusy(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(answer.json).toEqual({ detail: 'busy' });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(answer.ms).toBeLessThan(5000);
}

function lock(file: string): () => void {
  const database = new Database(file);
  database.exec('begin immediate');
  return () => {
    database.exec('rollback');
    database.close();
  };
}

/** Milliseconds of reads of all kinds, sorted. */
async function readFor(url: string, ms: number): Promise<number[]> {
  const times: number[] = [];
  const paths = ['releases?q=x', 'store', 'auth/me', 'health', 'users'];
  for (let i = 0, end = performance.now() + ms; performance.now() < end; i++) {
    const path = paths[i % paths.length] ?? '';
    const answer = await ask(`${url}/api/${path}`, { token });
    expect(answer.status).toBe(200);
    times.push(answer.ms);
    await setTimeout(20);
  }
  return times.sort((a, b) => a - b);
}
