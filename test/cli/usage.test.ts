import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultText } from '../../src/settings/setting.ts';
import { settings } from '../../src/settings/settings.ts';
import { openSandbox, type Sandbox } from '../support/process.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(async () => {
  const madeData = existsSync(sandbox.data);
  await sandbox.close();
  expect(madeData).toBe(false); // usage errors and help must create nothing
});

describe('the command line', () => {
  test('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await sandbox.run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  test('starts the built program from bin/catalog.js', () => {
    const { status, stderr } = spawnSync(process.execPath, ['bin/catalog.js', '--version']);
    expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
  });

  test('prints the help of a command on standard output, and exits with 0', async () => {
    const commands = [[], ['serve'], ['import'], ['users'], ['users', 'add'], ['backup']];
    const all = commands.map(async (command) => {
      const { code, stdout, stderr } = await sandbox.run([...command, '--help']);
      expect(stdout).toMatch(new RegExp(`^Usage: ${['catalog', ...command].join(' ')} `));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    });
    await Promise.all(all);
  });

  test('names the variable and the default of every option in the help', {
    tags: ['full'],
  }, async () => {
    const commands = [
      ['serve'],
      ['scan'],
      ['covers', 'fetch'],
      ['covers', 'extract'],
      ['users', 'list'],
    ];
    for (const command of commands) {
      const help = (await sandbox.run([...command, '--help'])).stdout.replace(/\s+/g, ' ');
      for (const setting of Object.values(settings)) {
        const { option, variable } = setting;
        if (option === undefined || !help.includes(` --${option} `)) continue;
        const rest = help.slice(help.indexOf(` --${option} `));
        expect(rest.slice(0, 200)).toContain(`(${variable}, default ${defaultText(setting)})`);
      }
    }
    const help = (await sandbox.run(['serve', '--help'])).stdout;
    const { copyTo, copyFilesTo, ...ofServe } = settings;
    const ofCopy = (await sandbox.run(['copy', '--help'])).stdout;
    for (const { variable } of [copyTo, copyFilesTo]) expect(ofCopy).toContain(variable);
    for (const { variable } of Object.values(ofServe)) expect(help).toContain(variable);
  });

  /** Names of commands. The hint in an error repeats the names that the arguments contain. */
  const helped = new Set(['serve', 'users', 'add', 'role', 'list', 'import', 'backup']);

  const wrongLine = 'exits with 2, and names the mistake and the help: %j';

  test.concurrent.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['serve', '--prot', '80'], 'Did you mean --port?'],
    [['users', 'add', '--role', 'editor'], "missing required argument 'name'"],
  ])(wrongLine, isRefused);

  test.concurrent.each([
    [['serve', '--nonsense'], "unknown option '--nonsense'"],
    [['serve', 'extra'], 'too many arguments'],
    [['serve', '--port'], "option '--port <number>' argument missing"],
    [['users', 'nonsense'], "unknown command 'nonsense'"],
    [['users', 'role', 'ada'], "missing required argument 'role'"],
    [['users', 'list', 'extra'], 'too many arguments'],
    [['import'], "missing required argument 'path'"],
    [['backup'], "missing required argument 'file'"],
  ])(wrongLine, { tags: ['full'] }, isRefused);

  async function isRefused(args: readonly string[], message: string): Promise<void> {
    const { code, stdout, stderr } = await sandbox.run(args);
    expect(stderr).toMatch(/^catalog: /);
    expect(stderr).toContain(message);
    const command = ['catalog', ...args.filter((each) => helped.has(each))].join(' ');
    expect(stderr).toContain(`(run "${command} --help" for the usage)`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  }

  test.each([[[]], [['users']]])(
    'prints the usage and exits with 2 if the only arguments are %j',
    async (args) => {
      const { code, stderr } = await sandbox.run(args);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^Usage: catalog/);
    },
  );

  test('creates no catalogue in commands that add nothing', async () => {
    const commands = [
      ['users', 'list'],
      ['users', 'remove', 'ada'],
      ['users', 'role', 'ada', 'editor'],
      ['scan'],
      ['scan', '--data', 'a/mistyped/folder'],
      ['covers', 'extract'],
      ['backup', 'copy.db'],
    ];
    for (const { code, stdout, stderr } of await Promise.all(commands.map((c) => sandbox.run(c)))) {
      expect(stderr).toMatch(/^catalog: there is no catalogue in \S+: check --data .+\n$/);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    }
  });
});
