import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { expect, onTestFinished, vi } from 'vitest';
import { pollOptions } from './poll-options.ts';
import type { Sandbox } from './process.ts';
import { programFile } from './program-file.ts';

const hasScript = /util-linux/.test(spawnSync('script', ['--version']).stdout?.toString() ?? '');

/** The reason why tests that need a terminal are skipped; "" if they can run. */
export const terminalSkipReason = hasScript
  ? ''
  : ' (skipped: there is no util-linux "script" to give it a terminal)';

/**
 * Runs an sh script in a separate terminal. In the script, `catalog` runs the command line on the
 * data folder.
 */
export function openTerminal(
  { data, folder }: Sandbox,
  script: string,
  columns = 80,
  settings: Readonly<Record<string, string>> = {},
) {
  const prelude = `catalog() { '${process.execPath}' '${programFile}' "$@"; }`;
  const command = `stty cols ${columns}; ${prelude}; ${script}`;
  const env = {
    ...process.env,
    CATALOG_DATA: data,
    CATALOG_COVER_SOURCE: '',
    SHELL: '/bin/sh',
    ...settings,
  };
  const child: ChildProcess = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    shown += text;
  });
  return {
    shown: () => shown,
    ended: new Promise<number | null>((resolve) => child.on('close', resolve)),
    /** Waits until the terminal shows `question`, then types `keys`. */
    async type(question: string, keys: string): Promise<void> {
      await vi.waitFor(() => expect(shown).toContain(question), pollOptions);
      child.stdin?.write(keys);
    },
  };
}
