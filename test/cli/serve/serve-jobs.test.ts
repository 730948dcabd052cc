import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { createRequester, type Requester } from '../../support/http/requester.ts';
import { pollOptions } from '../../support/poll-options.ts';
import { type Sandbox, type Server, useSandbox } from '../../support/process.ts';

const GIB = 1024 ** 3;

/** Starts a server for one image that takes long to hash. Then starts a scan of this image. */
async function useLongScan() {
  const sandbox = await useSandbox();
  const root = join(sandbox.folder, 'games');
  mkdirSync(root);
  writeFileSync(join(root, 'long.iso'), 'long');
  truncateSync(join(root, 'long.iso'), 500 * GIB); // sparse: uses no disk space
  const serve = () => sandbox.serve(['--games-root', root, '--stop-s', '20']);
  const server = await serve();
  const { request, token } = await signIn(server);
  const { json } = await request('POST', '/api/jobs', { token, json: { kind: 'scan' } });
  const path = `/api/jobs/${json.id}`;
  await expect
    .poll(async () => (await request('GET', path, { token })).json.progress)
    .toMatchObject({ phase: 'hash' });
  const child = await vi.waitFor(() => {
    const pid = childOf(sandbox, server.pid);
    if (pid === null) throw new Error('the server has no child process');
    return pid;
  }, pollOptions);
  return { sandbox, serve, server, request, token, path, child };
}

async function signIn(server: Server): Promise<{ request: Requester; token: string }> {
  const request = createRequester(server.url);
  const json = { username: 'admin', password: 'admin-password' };
  const response = await request('POST', '/api/auth/login', { json });
  return { request, token: String(response.json.token) };
}

/** Returns the row of the first job. */
function storedJob({ data }: Sandbox): unknown {
  const database = new Database(join(data, 'catalog.db'), { readonly: true });
  try {
    return database.prepare('select * from job where id = 1').get();
  } finally {
    database.close();
  }
}

/**
 * Returns the process id of the `catalog job` that a server has started, or null if there is none.
 */
function childOf({ data }: Sandbox, pid: number): number | null {
  const file = `/proc/${pid}/task/${pid}/children`;
  for (const child of readFileSync(file, 'utf8').split(' ').filter(Boolean)) {
    const command = readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0');
    if (command.includes('job') && command.includes(data)) return Number(child);
  }
  return null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('catalog serve', () => {
  test('interrupts its job when it stops, and continues the job at the next start', {
    tags: ['full'],
  }, async () => {
    const { sandbox, serve, server, path, child } = await useLongScan();
    const environment = readFileSync(`/proc/${child}/environ`, 'utf8').split('\0');
    expect(environment).toContainEqual(expect.stringMatching(/^CATALOG_DATABASE=/));
    expect(environment).not.toContainEqual(expect.stringContaining('admin-password'));
    expect(await server.stop()).toMatchObject({ code: 0 });
    expect(isAlive(child)).toBe(false);
    expect(storedJob(sandbox)).toMatchObject({
      state: 'queued',
      progress: expect.stringContaining('hash'),
      report: '{"error":"its process was told to end"}',
    });
    const { request, token } = await signIn(await serve());
    const job = async () => (await request('GET', path, { token })).json;
    await expect
      .poll(job)
      .toMatchObject({ state: 'running', attempt: 1, attempts: 3, progress: { phase: 'hash' } });
    const json = { kind: 'scan' };
    expect((await request('POST', '/api/jobs', { token, json })).status).toBe(409);
  });

  test('continues a job whose server was killed', { tags: ['full'] }, async () => {
    const { serve, server, path, child } = await useLongScan();
    server.kill('SIGKILL');
    await server.ended;
    await expect.poll(() => isAlive(child)).toBe(false);
    const { request, token } = await signIn(await serve());
    const job = async () => (await request('GET', path, { token })).json;
    await expect
      .poll(job)
      .toMatchObject({ state: 'running', attempt: 2, report: { error: 'its server died' } });
  });

  test('continues a job whose process is killed, and gives up after three attempts', {
    tags: ['full'],
    timeout: 180_000,
  }, async () => {
    const { sandbox, server, request, token, path, child } = await useLongScan();
    const job = async () => (await request('GET', path, { token })).json;
    const { id, started_at } = await job();
    process.kill(child, 'SIGKILL');
    for (const attempt of [2, 3]) {
      await expect.poll(job).toMatchObject({ state: 'queued', attempt, attempts: 3 });
      const json = { kind: 'scan' };
      expect((await request('POST', '/api/jobs', { token, json })).status).toBe(409);
      await expect
        .poll(job)
        .toMatchObject({ state: 'running', attempt, progress: { phase: 'hash' } });
      process.kill(childOf(sandbox, server.pid) ?? 0, 'SIGKILL');
    }
    await expect.poll(job).toMatchObject({
      id,
      started_at,
      state: 'interrupted',
      attempt: 3,
      report: { error: 'its process ended by SIGKILL; this was attempt 3 of 3' },
    });
    expect((await request('GET', '/api/health')).status).toBe(200);
    await server.stop();
  });

  test('does not continue a job that was stopped between two attempts', {
    tags: ['full'],
  }, async () => {
    const { request, token, path, child } = await useLongScan();
    const job = async () => (await request('GET', path, { token })).json;
    process.kill(child, 'SIGKILL');
    await expect.poll(job).toMatchObject({ state: 'queued' });
    expect((await request('POST', `${path}/stop`, { token })).status).toBe(200);
    const stopped = { state: 'stopped', attempt: 2, report: { error: 'it was stopped' } };
    expect(await job()).toMatchObject(stopped);
    const next = await request('POST', '/api/jobs', { token, json: { kind: 'scan' } });
    expect(next.status).toBe(200);
    // End this job, because while it runs, no other job of its kind can start. The stopped job
    // could then start again.
    const nextPath = `/api/jobs/${next.json.id}`;
    await request('POST', `${nextPath}/stop`, { token });
    await expect
      .poll(async () => (await request('GET', nextPath, { token })).json.state)
      .toBe('stopped');
    expect(await job()).toMatchObject(stopped);
  });

  test('prevents catalog scan during its own scan, and can stop a scan of the command line', {
    tags: ['full'],
  }, async () => {
    const { sandbox, request, token, path } = await useLongScan();
    const { stderr, code } = await sandbox.run(['scan']);
    expect(stderr).toContain('another scan is running');
    expect(code).toBe(1);
    await request('POST', `${path}/stop`, { token });
    await expect
      .poll(async () => (await request('GET', path, { token })).json.state)
      .toBe('stopped');

    const scan = sandbox.start(['scan', '--games-root', join(sandbox.folder, 'games')]);
    const items = await vi.waitFor(async () => {
      const { items } = (await request('GET', '/api/jobs?state=running', { token })).json;
      expect(items).not.toEqual([]);
      return items;
    }, pollOptions);
    const [{ id = 0, started_by = '' } = {}] = items as { id: number; started_by: string }[];
    expect(started_by).not.toBe('admin');
    await request('POST', `/api/jobs/${id}/stop`, { token });
    expect((await scan.ended).stderr).toMatch(
      'stopped; the next scan continues where this one stopped',
    );
  });

  test('is required for `catalog job`, which is hidden and refuses to run on its own', async () => {
    const sandbox = await useSandbox();
    expect(await sandbox.run(['job', '1', '1'])).toMatchObject({
      code: 2,
      stderr: 'catalog: job: only a server can run this command\n',
    });
    expect((await sandbox.run(['--help'])).stdout).not.toMatch(/^ *job\b/m);
  });

  test('gives a job a lower priority than its own', { tags: ['full'] }, async () => {
    const { server, child } = await useLongScan();
    const low = constants.priority.PRIORITY_BELOW_NORMAL;
    expect(getPriority(child)).toBe(low);
    const autogroup = `/proc/${child}/autogroup`;
    if (existsSync(autogroup)) expect(readFileSync(autogroup, 'utf8')).toContain(`nice ${low}`);
    expect(getPriority(server.pid)).toBe(getPriority(process.pid));
  });
});
