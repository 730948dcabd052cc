import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from '../support/process.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const someWrong = [
  ['--port', '65536'],
  ['--workers', '1.5'],
  ['--games-root', ''],
] as const;
const moreWrong = [
  ['--host', ''],
  ['--stop-s', 'soon'],
  ['--workers', '0'],
  ['--workers', '65'],
  ['--workers', 'x'],
  ['--cors-origins', '*'],
  ['--trusted-proxy', 'proxy'],
  ['--token-days', '-1'],
  ['--login-failures', '0'],
  ['--login-window-min', '0'],
  ['--max-archive-bytes', '0'],
  ['--log-level', 'loud'],
  ['--videos-root', ''],
] as const;

// These tests show that each option is used for its setting.
const refused = 'refuses serve %s %j at start in one line';
describe('the command line', () => {
  test.concurrent.each(someWrong)(refused, isRefused);
  test.concurrent.each(moreWrong)(refused, { tags: ['full'] }, isRefused);

  async function isRefused(option: string, value: string): Promise<void> {
    const { code, stdout, stderr } = await sandbox.run(['serve', `${option}=${value}`]);
    expect(stderr).toMatch(
      new RegExp(`^catalog: ${option}: "${value.replace('*', '\\*')}" .+\\n$`),
    );
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  }

  test('refuses an invalid variable in one line that names it', async () => {
    const env = { CATALOG_PORT: 'http' };
    const { code, stderr } = await sandbox.run(['serve'], { env });
    expect(stderr).toMatch(/^catalog: CATALOG_PORT: "http" is not a whole number.+\n$/);
    expect(code).toBe(2);
  });
});
