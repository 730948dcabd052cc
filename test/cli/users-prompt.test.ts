import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { logIn } from '../support/client.ts';
import { type Sandbox, until, useSandbox } from '../support/process.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const hasScript = /util-linux/.test(spawnSync('script', ['--version']).stdout?.toString() ?? '');
const why = hasScript ? '' : ' (skipped: there is no util-linux "script" to give it a terminal)';

describe.skipIf(!hasScript)(`the prompt in a terminal${why}`, () => {
  test('asks twice without echo, and takes what was typed', async () => {
    const sandbox = await useSandbox();
    const terminal = open(sandbox, 'users add ada --role admin');
    await terminal.type('Password: ', 'secret of ada\r');
    await terminal.type('Again: ', 'secret of ada\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).toContain('created admin ada');
    expect(terminal.shown()).not.toContain('secret');
    const server = await sandbox.serve();
    await logIn(server.url, 'ada', 'secret of ada');
  });

  test('knows backspace, Ctrl-U and letters beyond ASCII', async () => {
    const sandbox = await useSandbox();
    const terminal = open(sandbox, 'users add ada --role admin');
    await terminal.type('Password: ', 'wrong\x15pässx\x7f\r');
    await terminal.type('Again: ', 'päss\r');
    expect(await terminal.ended).toBe(0);
    const server = await sandbox.serve();
    await logIn(server.url, 'ada', 'päss');
  });

  test('both lines at once, as when they are pasted, are the two answers', async () => {
    const sandbox = await useSandbox();
    const terminal = open(sandbox, 'users add ada --role admin');
    await terminal.type('Password: ', 'pasted\rpasted\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).not.toContain('pasted');
  });

  test.each([
    ['two that differ', 'one\r', 'two\r', 'the two passwords differ'],
    ['Ctrl-C', 'one\x03', '', 'given up'],
    ['Ctrl-D', '\x04', '', 'given up'],
    ['nothing', '\r', '', 'the password is empty'],
  ])('%s: exit 1, nobody is created, the terminal is as before', async (_, first, second, line) => {
    const sandbox = await useSandbox();
    const terminal = open(sandbox, 'users add ada --role admin', '; echo "exit $?"; stty -a');
    await terminal.type('Password: ', first);
    if (second !== '') await terminal.type('Again: ', second);
    await terminal.ended;
    expect(terminal.shown()).toContain(`catalog: ${line}\r\nexit 1\r\n`);
    expect(terminal.shown()).toMatch(/ icanon.* echo /s);
    expect((await sandbox.run(['users', 'list'])).stdout).toBe('');
  });
});

/** Runs `catalog` in a terminal of its own. */
function open({ data }: Sandbox, args: string, then = '') {
  const command = `'${process.execPath}' '${main}' ${args}${then}`;
  const env = { ...process.env, CATALOG_DATA: data, SHELL: '/bin/sh' };
  const child: ChildProcess = spawn('script', ['-qec', command, '/dev/null'], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    shown += text;
  });
  return {
    shown: () => shown,
    ended: new Promise<number | null>((resolve) => child.on('close', resolve)),
    /** Types once the question stands there. */
    async type(question: string, keys: string): Promise<void> {
      await until(() => shown.includes(question));
      child.stdin?.write(keys);
    },
  };
}
