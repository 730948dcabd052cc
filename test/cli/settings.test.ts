import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from '../support/process.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const wrong = [
  ['--port', '65536'],
  ['--host', ''],
  ['--stop-s', 'soon'],
  ['--workers', '0'],
  ['--workers', '65'],
  ['--workers', '1.5'],
  ['--workers', 'x'],
  ['--cors-origins', '*'],
  ['--trusted-proxy', 'proxy'],
  ['--token-days', '-1'],
  ['--login-failures', '0'],
  ['--login-window-min', '0'],
  ['--max-archive-bytes', '0'],
  ['--log-level', 'loud'],
  ['--games-root', ''],
  ['--videos-root', ''],
] as const;

// Proves that each option reaches its setting; what is right and wrong is tested in test/config.
test.concurrent.each(wrong)(
  'serve %s %j is refused at start in one line',
  async (option, value) => {
    const { code, stdout, stderr } = await sandbox.run(['serve', `${option}=${value}`]);
    expect(stderr).toMatch(
      new RegExp(`^catalog: ${option}: "${value.replace('*', '\\*')}" .+\\n$`),
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  },
);

test('a wrong variable is refused by its name', async () => {
  const env = { CATALOG_PORT: 'http' };
  const { code, stderr } = await sandbox.run(['serve'], { env });
  expect(stderr).toMatch(/^catalog: CATALOG_PORT: "http" is not a whole number.+\n$/);
  expect(code).toBe(2);
});
