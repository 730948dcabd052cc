import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandbox, type Sandbox, until, useSandbox } from '../support/process.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(async () => {
  const madeData = existsSync(sandbox.data);
  await sandbox.close();
  expect(madeData).toBe(false);
});

const ofAccounts = [
  '--cors-origins=https://example.org',
  '--token-days=1',
  '--login-failures=5',
  '--login-window-min=5',
  '--max-archive-bytes=1000',
];
const ofMinimal = ['--games-root=discs', '--videos-root=films', '--cover-source='];

test.concurrent.each(ofAccounts)('serve --minimal refuses %s', async (option) => {
  const { code, stdout, stderr } = await sandbox.run(['serve', '--minimal', option]);
  expect(stderr).toBe(`catalog: ${option.split('=')[0]}: has no meaning with --minimal\n`);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
});

test.concurrent.each(ofMinimal)('serve without --minimal refuses %s', async (option) => {
  const { code, stdout, stderr } = await sandbox.run(['serve', option]);
  expect(stderr).toBe(`catalog: ${option.split('=')[0]}: has a meaning only with --minimal\n`);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
});

const onLoopback = ['--host=127.0.0.1', '--port=0'];
const ofBoth = [...onLoopback, '--trusted-proxy=10.0.0.1', '--stop-s=1', '--log-level=warn'];

test.each([
  [['serve', ...ofBoth, ...ofAccounts]],
  [['serve', '--minimal', ...ofBoth, ...ofMinimal]],
])('%j starts, whatever variables are there for the other one', async (args) => {
  const own = await useSandbox();
  const server = own.start(args, {
    CATALOG_TOKEN_DAYS: '2',
    CATALOG_MAX_ARCHIVE_BYTES: '10',
    CATALOG_GAMES_ROOT: own.folder,
    CATALOG_API_TOKEN: 'shared',
  });
  await until(() => server.stdout.includes('Catalog is at ') || server.hasEnded, 20_000);
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
});
