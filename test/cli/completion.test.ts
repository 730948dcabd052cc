import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useSandbox } from '../support/process.ts';
import { toolsSkipReason } from '../support/tools.ts';

async function scriptFor(shell: string): Promise<string> {
  const sandbox = await useSandbox();
  const { code, stdout } = await sandbox.run(['completion', shell]);
  expect(code).toBe(0);
  const file = join(sandbox.folder, `completion.${shell}`);
  await writeFile(file, stdout);
  return file;
}

/** Returns the completions that bash offers after `words`. The last word is unfinished. */
function offered(file: string, ...words: string[]): string[] {
  const script = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _catalog; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['-c', script, file, 'catalog', ...words], { encoding: 'utf8' });
  return out.split('\n').filter((word) => word !== '');
}

describe('catalog completion', () => {
  test('offers exactly the existing commands and options in bash', async () => {
    const file = await scriptFor('bash');
    const sandbox = await useSandbox();
    const { stdout: help } = await sandbox.run(['--help']);
    const commands = [...help.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThan(8);
    expect(offered(file, '').sort()).toEqual([...commands, '--help', '--version'].sort());
    expect(offered(file, 'ver')).toEqual(['verify']);
    expect(offered(file, 'users', 'a')).toEqual(['add', 'activate']);
    expect(offered(file, 'users', 'add', '--')).toEqual(
      expect.arrayContaining(['--role', '--data', '--password-stdin']),
    );
    expect(offered(file, 'backup', '--s')).toEqual(['--store']);
    expect(offered(file, 'completion', '')).toEqual(['bash', 'zsh', 'fish', '--help']);
    expect(offered(file, 'job')).toEqual([]); // the help does not list `job`
    expect(offered(file, 'backup', 'x')).toEqual([]); // bash completes file names instead
    const registered = execFileSync('bash', ['-c', 'source "$0"; complete -p catalog', file]);
    expect(`${registered}`).toBe('complete -o default -F _catalog catalog\n');
  });

  test('refuses a shell other than bash, zsh and fish', async () => {
    const sandbox = await useSandbox();
    const { code, stderr } = await sandbox.run(['completion', 'csh']);
    expect(code).toBe(2);
    expect(stderr).toContain('bash, zsh, fish');
  });
});

const zshSkipReason = toolsSkipReason('zsh');
const zshTitle = `catalog completion for zsh (${zshSkipReason ?? 'run'})`;
describe.skipIf(zshSkipReason !== null)(zshTitle, () => {
  test('prints a script that zsh accepts', async () => {
    const file = await scriptFor('zsh');
    execFileSync('zsh', [
      '-fc',
      'autoload -U compinit; compinit -D; source "$0"; whence _catalog',
      file,
    ]);
  });
});

const fishSkipReason = toolsSkipReason('fish');
describe.skipIf(fishSkipReason !== null)(
  `catalog completion for fish (${fishSkipReason ?? 'run'})`,
  () => {
    test('offers the subcommands that begin with the typed letters', async () => {
      const file = await scriptFor('fish');
      const out = execFileSync('fish', ['-c', `source ${file}; complete -C 'catalog users a'`]);
      expect(`${out}`).toMatch(/^add\t/m);
    });
  },
);
