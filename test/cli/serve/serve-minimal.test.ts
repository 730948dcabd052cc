import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { sendRequest } from '../../support/http/client.ts';
import { pollOptions } from '../../support/poll-options.ts';
import { type Program, useSandbox, waitForUrl } from '../../support/process.ts';

const warnings = (program: Program) =>
  program.stderr
    .split('\n')
    .filter((line) => line.includes('"level":40'))
    .map((line) => JSON.parse(line).msg);
const onLoopback = ['serve', '--minimal', '--host', '127.0.0.1', '--port', '0'];

describe('catalog serve --minimal', () => {
  test('serves the minimal API without an account, and stops at a signal', async () => {
    const sandbox = await useSandbox();
    const server = sandbox.start(onLoopback);
    const url = await waitForUrl(server);
    expect((await sendRequest(`${url}/api/summary`)).text).toBe('{\n  "systems": []\n}');
    expect((await sendRequest(`${url}/api/auth/me`)).status).toBe(404);
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0, stdout: `Catalog is at ${url}\n` });
    expect(warnings(server)).toEqual([]);
    const users = await sandbox.run(['users', 'list', '--json']);
    expect(users.stdout).not.toContain('admin');
  });

  test('scans at its first start the root that its option names, not the variable', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const [games, films] = [join(sandbox.folder, 'a,b'), join(sandbox.folder, 'films')];
    for (const folder of [games, films]) await mkdir(folder);
    await writeFile(join(games, 'one.iso'), 'one');
    await writeFile(join(films, 'two.iso'), 'two');
    const env = { CATALOG_GAMES_ROOT: films };
    const server = sandbox.start([...onLoopback, '--games-root', games], env);
    const url = await waitForUrl(server);
    const [item] = await vi.waitFor(async () => {
      const { json } = await sendRequest(`${url}/api/library`);
      expect(json.count).toBeGreaterThan(0);
      return json.items;
    }, pollOptions);
    expect(item).toMatchObject({ path: join(games, 'one.iso'), size: 3, system: 'games' });
    expect((await sendRequest(`${url}/api/library?refresh=1`)).json.count).toBe(1);
  });

  test('reads the token from the environment, trims it, and never logs it', async () => {
    const sandbox = await useSandbox();
    const args = ['serve', '--minimal', '--host', '0.0.0.0', '--port', '0', '--log-level', 'debug'];
    const server = sandbox.start(args, { CATALOG_API_TOKEN: ' canary-5d1 \n' });
    const url = await waitForUrl(server);
    expect((await sendRequest(`${url}/api/store`)).status).toBe(401);
    expect((await sendRequest(`${url}/api/store`, { token: 'canary-5d1' })).status).toBe(200);
    server.kill('SIGTERM');
    await server.ended;
    expect(server.stdout + server.stderr).not.toContain('canary-5d1');
    expect(warnings(server)).toEqual([]);
  });

  test.each(['0.0.0.0', '::', '0'])(
    'warns once if it listens on all addresses (%s) without a token',
    { tags: ['full'] },
    async (host) => {
      const sandbox = await useSandbox();
      const server = sandbox.start(['serve', '--minimal', '--host', host, '--port', '0']);
      await waitForUrl(server);
      server.kill('SIGTERM');
      await server.ended;
      expect(warnings(server)).toEqual([expect.stringMatching(/^CATALOG_API_TOKEN is not set: /)]);
    },
  );

  test('is the only variant that warns about a missing API token', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve(['--host', '0.0.0.0']);
    await server.stop();
    expect(warnings(server)).toEqual([]);
  });

  test('serves the same data folder at the same time as the account variant', async () => {
    const sandbox = await useSandbox();
    const account = await sandbox.serve();
    const minimal = sandbox.start(onLoopback);
    const url = await waitForUrl(minimal);
    expect((await sendRequest(`${url}/api/releases`)).status).toBe(200);
    expect((await sendRequest(`${account.url}/api/releases`)).status).toBe(200);
    minimal.kill('SIGTERM');
    expect((await minimal.ended).code).toBe(0);
    expect(existsSync(sandbox.data)).toBe(true);
  });
});
