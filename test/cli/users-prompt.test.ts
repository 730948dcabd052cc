import { describe, expect, test } from 'vitest';
import { logIn } from '../support/http/client.ts';
import { useSandbox } from '../support/process.ts';
import { openTerminal, terminalSkipReason } from '../support/terminal.ts';

describe.skipIf(terminalSkipReason !== '')(`the password prompt${terminalSkipReason}`, () => {
  test('appears twice without echo, and sets the typed password', async () => {
    const sandbox = await useSandbox();
    const terminal = openTerminal(sandbox, 'catalog users add ada --role admin');
    await terminal.type('Password: ', 'secret of ada\r');
    await terminal.type('Again: ', 'secret of ada\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).toContain('created admin ada');
    expect(terminal.shown()).not.toContain('secret');
    const server = await sandbox.serve();
    await logIn(server.url, 'ada', 'secret of ada');
  });

  test('supports backspace, Ctrl-U and non-ASCII letters', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const terminal = openTerminal(sandbox, 'catalog users add ada --role admin');
    await terminal.type('Password: ', 'wrong\x15pässx\x7f\r');
    await terminal.type('Again: ', 'päss\r');
    expect(await terminal.ended).toBe(0);
    const server = await sandbox.serve();
    await logIn(server.url, 'ada', 'päss');
  });

  test('accepts two lines pasted at once as the password and its repetition', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const terminal = openTerminal(sandbox, 'catalog users add ada --role admin');
    await terminal.type('Password: ', 'pasted\rpasted\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).not.toContain('pasted');
  });

  for (const [what, first, second, line, code, tags] of [
    ['two different passwords', 'one\r', 'two\r', 'the two passwords differ', 1, ['full']],
    ['Ctrl-C', 'one\x03', '', 'cancelled', 130, []],
    ['Ctrl-D', '\x04', '', 'cancelled', 1, ['full']],
    ['an empty password', '\r', '', 'the password is empty', 1, ['full']],
  ] as const) {
    test(`creates no user and restores the terminal (typed: ${what})`, {
      tags: [...tags],
    }, async () => {
      const sandbox = await useSandbox();
      const terminal = openTerminal(
        sandbox,
        'catalog users add ada --role admin; echo "exit $?"; stty -a',
      );
      await terminal.type('Password: ', first);
      if (second !== '') await terminal.type('Again: ', second);
      await terminal.ended;
      expect(terminal.shown()).toContain(`catalog: ${line}\r\nexit ${code}\r\n`);
      expect(terminal.shown()).toMatch(/ icanon.* echo /s);
      expect((await sandbox.run(['users', 'list'])).stdout).toBe('');
    });
  }
});
