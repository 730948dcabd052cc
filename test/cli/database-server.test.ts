/** @module-tag full */
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { testedDatabases } from '../support/data/databases.ts';
import { installation, makeServer } from '../support/postgres/own-server.ts';
import { type Sandbox, useSandbox } from '../support/process.ts';

const server = testedDatabases().find(({ name }) => name !== 'SQLite');

describe('the command line with a database server', () => {
  test.runIf(server)(
    'runs users, doctor and verify on a catalogue in a database server',
    async () => {
      const { sandbox } = await useDatabase();
      await sandbox.createDataFolder();
      const users = await sandbox.run(['users', 'list', '--json']);
      expect(JSON.parse(users.stdout)).toMatchObject([{ username: 'first', role: 'admin' }]);
      expect(await doctor(sandbox)).toEqual({
        state: 'fine',
        says: expect.stringMatching(/^version/),
      });
      expect(await sandbox.run(['verify', '--json'])).toMatchObject({ code: 0 });
    },
  );

  test.runIf(installation)('names in verify the table that the server cannot read', async () => {
    const own = await makeServer();
    onTestFinished(() => own.remove());
    const sandbox = await useSandbox(undefined, own.databaseUrl);
    await sandbox.createDataFolder();
    // After this change, the server cannot find the file of the table.
    await query(
      own.databaseUrl,
      "UPDATE pg_class SET relfilenode = 4000000000 WHERE relname = 'cover_removal'",
    );
    const { code, stdout } = await sandbox.run(['verify', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toMatchObject([
      { part: 'database', reason: expect.stringMatching(/^cover_removal: /) },
    ]);
  });

  test.runIf(server)('creates no catalogue in a database for users list and doctor', async () => {
    const { databaseUrl, sandbox } = await useDatabase();
    await query(databaseUrl, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    expect(await sandbox.run(['users', 'list'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^catalog: there is no catalogue in postgres:.+--database/),
    });
    expect(await doctor(sandbox)).toMatchObject({
      state: 'wrong',
      says: expect.stringMatching(/there is no catalogue in/),
    });
    await query(databaseUrl, 'CREATE TABLE other (id integer)');
    expect(await doctor(sandbox)).toMatchObject({
      state: 'wrong',
      says: expect.stringMatching(/of another program/),
    });
  });

  test('reports an unreachable server or a password argument, without passwords', async () => {
    const sandbox = await useSandbox(undefined, 'postgres://catalog:s3cr3t@127.0.0.1:1/catalog');
    const { code, stderr } = await sandbox.run(['users', 'list']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^catalog: .*postgres:\/\/127\.0\.0\.1:1\/catalog.*\n$/);
    expect(stderr).not.toContain('s3cr3t');
    expect(await doctor(sandbox)).toMatchObject({ state: 'wrong' });
    const refused = await sandbox.run(['users', 'list', '--database', 'postgres://a:s3cr3t@b/c']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/^catalog: --database: contains a password/);
    expect(refused.stderr).not.toContain('s3cr3t');
  });
});

async function useDatabase() {
  const { databaseUrl, drop } = (await server?.make()) ?? { databaseUrl: '', drop: async () => {} };
  onTestFinished(drop);
  return { databaseUrl, sandbox: await useSandbox(undefined, databaseUrl) };
}

async function query(databaseUrl: string, text: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(text).finally(() => client.end());
}

async function doctor(sandbox: Sandbox) {
  const { stdout } = await sandbox.run(['doctor', '--json', '--cover-source', '']);
  const findings: { check: string; state: string; says: string }[] = JSON.parse(stdout).findings;
  const { state, says } = findings.find(({ check }) => check === 'database') ?? {};
  return { state, says };
}
