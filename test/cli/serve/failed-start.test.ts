import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testedDatabases } from '../../support/data/databases.ts';
import { freePort } from '../../support/free-port.ts';
import { type Sandbox, useSandbox } from '../../support/process.ts';

// A command that leaves something open after a failed start never exits. Its test would then time
// out.

describe('a command that cannot start', () => {
  test('exits with advice if a file is in the place of a folder', async () => {
    const sandbox = await useSandbox();
    await sandbox.createDataFolder();
    for (const name of ['games', 'covers']) {
      await replaceByFile(sandbox, name);
      const path = join(sandbox.data, name);
      expect(await sandbox.run(['users', 'list'])).toMatchObject({
        code: 1,
        stderr: `catalog: ${path} must be a folder but is a file: move it away\n`,
      });
      await rm(path);
    }
  });

  test('exits if the port of a server is taken, and closes its metrics port', async () => {
    const sandbox = await useSandbox();
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    onTestFinished(() => void holder.close());
    const { port } = holder.address() as AddressInfo;
    const args = ['--host', '127.0.0.1', '--port', `${port}`, '--log-level', 'warn'];
    const figures = ['--metrics', `127.0.0.1:${await freePort()}`];
    expect(await sandbox.run(['serve', ...args, ...figures])).toMatchObject({
      code: 1,
      stderr: `catalog: --port: port ${port} is in use, choose another one\n`,
    });
  });

  const server = testedDatabases().find(({ name }) => name !== 'SQLite');

  test.runIf(server)(
    'names misplaced files and folders if the catalogue is in a database server',
    { tags: ['full'] },
    async () => {
      const { databaseUrl, drop } = (await server?.make()) ?? {
        databaseUrl: '',
        drop: async () => {},
      };
      onTestFinished(drop);
      const sandbox = await useSandbox(undefined, databaseUrl);
      await sandbox.createDataFolder();
      await replaceByFile(sandbox, 'games');
      const failed = await sandbox.run(['users', 'list']);
      expect(failed).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('must be a folder'),
      });
      await rm(join(sandbox.data, 'host'), { force: true });
      await mkdir(join(sandbox.data, 'host'));
      const path = join(sandbox.data, 'host');
      expect(await sandbox.run(['users', 'list'])).toMatchObject({
        code: 1,
        stderr: `catalog: ${path} cannot be read: it is a folder; move it away\n`,
      });
    },
  );
});

async function replaceByFile({ data }: Sandbox, name: string): Promise<void> {
  await rm(join(data, name), { recursive: true, force: true });
  await writeFile(join(data, name), 'a file');
}
