/** @module-tag full */
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testedDatabases } from '../support/data/databases.ts';
import { logIn, sendRequest } from '../support/http/client.ts';
import { type Server, useSandbox } from '../support/process.ts';
import { childrenOf, isRunning } from './children.ts';

const GIB = 1024 ** 3;
/** Timeout in milliseconds. A killed instance counts as dead after 30 s. */
const timeout = 90_000;

describe('a group of instances', () => {
  test.each(testedDatabases())(
    'continues the job of a killed instance on another one: $name',
    {
      timeout: 300_000,
    },
    async ({ make }) => {
      const database = await make();
      onTestFinished(database.drop);
      const sandbox = await useSandbox(undefined, database.databaseUrl);
      const root = join(sandbox.folder, 'games');
      await mkdir(root);
      await writeFile(join(root, 'long.iso'), 'long');
      // A sparse file: slow to hash, but uses no disk space.
      await truncate(join(root, 'long.iso'), 500 * GIB);
      const args = ['--games-root', root, '--log-level', 'warn'];
      const [first, second, third] = [
        await sandbox.serve(args),
        await sandbox.serve(args),
        await sandbox.serve(args),
      ];
      const token = await logIn(second.url);
      const started = await sendRequest(`${first.url}/api/jobs`, { token, json: { kind: 'scan' } });
      const path = `/api/jobs/${started.json.id}`;
      const jobAt = async (server: Server) =>
        (await sendRequest(`${server.url}${path}`, { token })).json;
      const hashing = { state: 'running', progress: { phase: 'hash' } };
      await expect.poll(() => jobAt(second), { timeout }).toMatchObject(hashing);
      const [child = 0] = childrenOf(first.pid);

      process.kill(child, 'SIGKILL');
      first.kill('SIGKILL');
      await first.ended;
      await expect
        .poll(() => jobAt(second), { timeout })
        .toMatchObject({ ...hashing, attempt: 2, attempts: 3 });
      // Exactly one of the two instances runs the job.
      const running = () => [second, third].flatMap(({ pid }) => childrenOf(pid)).filter(isRunning);
      expect(running()).toHaveLength(1);

      const [runner, other] = childrenOf(second.pid).length > 0 ? [second, third] : [third, second];
      expect(await runner.stop()).toMatchObject({ code: 0 });
      await expect.poll(() => childrenOf(other.pid).filter(isRunning).length, { timeout }).toBe(1);
      await expect.poll(() => jobAt(other), { timeout }).toMatchObject({ ...hashing, attempt: 2 });
      expect(
        (await sendRequest(`${other.url}${path}/stop`, { token, method: 'POST' })).status,
      ).toBe(200);
      await expect.poll(() => jobAt(other), { timeout }).toMatchObject({ state: 'stopped' });
    },
  );
});
