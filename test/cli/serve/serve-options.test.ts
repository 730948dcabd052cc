import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSandbox, type Sandbox, useSandbox, waitForUrl } from '../../support/process.ts';

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
  '--require-sign-in',
  '--cors-origins=https://example.org',
  '--token-days=1',
  '--login-failures=5',
  '--login-window-min=5',
  '--max-archive-bytes=1000',
  '--upload-days=5',
];

describe('the command line', () => {
  test.concurrent.each(ofAccounts.slice(0, 2))('refuses %s with serve --minimal', refuses);
  test.concurrent.each(ofAccounts.slice(2))(
    'refuses %s with serve --minimal',
    { tags: ['full'] },
    refuses,
  );

  async function refuses(option: string): Promise<void> {
    const { code, stdout, stderr } = await sandbox.run(['serve', '--minimal', option]);
    expect(stderr).toBe(`catalog: ${option.split('=')[0]}: cannot be used with --minimal\n`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  }

  const onLoopback = ['--host=127.0.0.1', '--port=0'];
  const ofBoth = [
    ...[...onLoopback, '--trusted-proxy=10.0.0.1', '--stop-s=1', '--log-level=warn'],
    ...['--games-root=discs', '--videos-root=films', '--cover-source='],
  ];

  test.each([[['serve', ...ofBoth, ...ofAccounts]], [['serve', '--minimal', ...ofBoth]]])(
    'starts %j, whatever variables are set for the other variant',
    async (args) => {
      const own = await useSandbox();
      const server = own.start(args, {
        CATALOG_REQUIRE_SIGN_IN: 'on',
        CATALOG_TOKEN_DAYS: '2',
        CATALOG_MAX_ARCHIVE_BYTES: '10',
        CATALOG_GAMES_ROOT: own.folder,
        CATALOG_API_TOKEN: 'shared',
      });
      await waitForUrl(server);
      server.kill('SIGTERM');
      expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
    },
  );

  const nonsense = 'no such thing ';

  test.each([
    [
      ['serve', '--minimal', ...onLoopback],
      [
        'REQUIRE_SIGN_IN',
        'TOKEN_DAYS',
        'LOGIN_FAILURES',
        'LOGIN_WINDOW_MIN',
        'MAX_ARCHIVE_BYTES',
        'CORS_ORIGINS',
      ],
    ],
    [['serve', ...onLoopback], ['API_TOKEN']],
  ])(
    'starts %j with invalid values in the variables of the other variant',
    { tags: ['full'] },
    async (args, names) => {
      const own = await useSandbox();
      const env = Object.fromEntries(names.map((name) => [`CATALOG_${name}`, nonsense]));
      const server = own.start(args, env);
      await waitForUrl(server);
      server.kill('SIGTERM');
      expect((await server.ended).code).toBe(0);
    },
  );

  const refusesOwn = 'refuses an invalid value of a variable of its own: %j, CATALOG_%s';
  test.concurrent.each([[['serve'], 'TOKEN_DAYS']] as const)(refusesOwn, isRefused);
  test.concurrent.each([
    [['serve'], 'COVER_SOURCE'],
    [['serve', '--minimal'], 'COVER_SOURCE'],
    [['serve', '--minimal'], 'PORT'],
    [['covers', 'fetch'], 'COVER_SOURCE'],
  ] as const)(refusesOwn, { tags: ['full'] }, isRefused);

  async function isRefused(args: readonly string[], name: string): Promise<void> {
    const env = { [`CATALOG_${name}`]: nonsense };
    const { code, stdout, stderr } = await sandbox.run(args, { env });
    expect(stderr).toMatch(new RegExp(`^catalog: CATALOG_${name}: "no such thing " .+\\n$`));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  }

  test.concurrent.each([
    ['users', 'list'],
    ['backup', 'copy.db'],
    ['covers', 'bundle', 'all'],
  ])('ignores invalid settings that the command does not use: %s %s', async (...args) => {
    const env = { CATALOG_PORT: nonsense, CATALOG_COVER_SOURCE: nonsense, CATALOG_GAMES_ROOT: ' ' };
    const { stderr } = await sandbox.run(args, { env });
    expect(stderr).toMatch(/^catalog: there is no catalogue in /);
  });
});
