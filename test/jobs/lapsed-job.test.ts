/** @module-tag full */
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { freezeBetweenWrites } from '../support/freeze.ts';
import { type ClientRequestOptions, logIn, sendRequest } from '../support/http/client.ts';
import { useSandbox } from '../support/process.ts';

const GIB = 1024 ** 3;

describe('a server with a frozen scan', () => {
  test('accepts logins, writes and another scan, and ends the first when it resumes', async () => {
    const sandbox = await useSandbox();
    const root = join(sandbox.folder, 'games');
    await mkdir(root);
    await writeFile(join(root, 'long.iso'), 'long');
    // sparse: slow to hash, but uses no disk space
    await truncate(join(root, 'long.iso'), 500 * GIB);
    const server = await sandbox.serve(['--games-root', root]);
    const token = await logIn(server.url);
    const as = (path: string, question: ClientRequestOptions = {}) =>
      sendRequest(`${server.url}/api/${path}`, { token, ...question });
    const job = async (id: number) => (await as(`jobs/${id}`)).json;

    const scan = sandbox.start(['scan', '--games-root', root]);
    await expect.poll(async () => (await job(1)).progress?.phase).toBe('hash');
    const file = join(sandbox.data, 'catalog.db');
    await freezeBetweenWrites(scan.pid, file);
    const database = new Database(file);
    database.exec("UPDATE job SET heartbeat_at = '2020-01-01T00:00:00.000Z'");
    database.close();

    expect(await logIn(server.url)).toMatch(/^cat_/);
    const json = { username: 'other', password: 'other', role: 'user' };
    expect((await as('users', { json })).status).toBe(200);
    expect(await job(1)).toMatchObject({ state: 'interrupted' });
    const next = await as('jobs', { json: { kind: 'scan', options: { hash: false } } });
    expect(next).toMatchObject({ status: 200, json: { id: 2 } });

    scan.kill('SIGCONT');
    expect(await scan.ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('its process stood still for so long that the job was ended'),
    });
    await expect.poll(async () => (await job(2)).state).toBe('done');
    const report = { error: 'its process died or stood still' };
    expect(await job(1)).toMatchObject({ state: 'interrupted', report });
  });
});
