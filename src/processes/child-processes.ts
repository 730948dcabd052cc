import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { JobProcesses, JobRun } from '../core/jobs/ports.ts';

// The program's main file: main.ts in development, main.js in dist. The build changes the extension
// in imports but not in URLs.
const ownProgram = fileURLToPath(
  new URL(`../main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);
/**
 * Maximum number of characters of a process's error output that are stored. Only the end of the
 * output is stored.
 */
const maxOutputLength = 16_384;

/**
 * Runs each job in a child process, `catalog job ID RUN ...`. The child process interrupts its job
 * on SIGTERM. The child also interrupts its job if its channel to this process closes, which
 * happens if this process is killed.
 */
export class ChildProcesses implements JobProcesses {
  readonly #program: string;
  readonly #args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  readonly #onOutput: (id: number, text: string) => void;
  readonly #running = new Set<ChildProcess>();

  constructor(parts: {
    /** The program file to run; by default, the main file of this program. */
    program?: string | undefined;
    /** Options for `catalog job`, which say where the data and the library are stored. */
    args: readonly string[];
    /**
     * Environment variables of the processes, including values that must not be passed as
     * arguments.
     */
    env: NodeJS.ProcessEnv;
    /** Called with the error output of a process after the process has ended. */
    onOutput: (id: number, text: string) => void;
  }) {
    this.#program = parts.program ?? ownProgram;
    this.#args = parts.args;
    this.#env = parts.env;
    this.#onOutput = parts.onOutput;
  }

  run({ id, run }: JobRun): Promise<string> {
    const child = fork(this.#program, ['job', `${id}`, `${run}`, ...this.#args], {
      execArgv: [],
      env: this.#env,
      // Start a separate process group. Otherwise Ctrl-C in the server's terminal would reach the
      // jobs directly. Only the server should get that signal, because it then stops its processes.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#running.add(child);
    let output = '';
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      output = `${output}${text}`.slice(-maxOutputLength);
    });
    return new Promise((resolve) => {
      const end = (how: string) => {
        this.#running.delete(child);
        if (output.trim() !== '') this.#onOutput(id, output.trim());
        resolve(`its process ended ${how}`);
      };
      child.on('error', (error) => {
        if (child.pid === undefined) end(`before it began: ${error.message}`);
      });
      child.on('close', (code, signal) => end(signal ? `by ${signal}` : `with exit code ${code}`));
    });
  }

  async close(withinMs: number): Promise<void> {
    const children = [...this.#running];
    const ended = children.map((child) => new Promise((resolve) => child.on('close', resolve)));
    for (const child of children) child.kill('SIGTERM');
    const timer = setTimeout(() => {
      for (const child of children) child.kill('SIGKILL');
    }, withinMs);
    await Promise.all(ended);
    clearTimeout(timer);
  }
}
