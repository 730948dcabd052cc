import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { JobProcesses } from '../core/jobs/ports.ts';

// The build renames imports but no URLs: the file is `.ts` in development and `.js` in dist.
const ownProgram = fileURLToPath(
  new URL(`../main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);
/** Maximum characters stored of a process's error output; the end of it is kept. */
const mostSaid = 16_384;

/**
 * Runs jobs in processes of this program, `catalog job ID ...`. A process interrupts its job when
 * it is told to end (SIGTERM), or loses its channel to this process because that was killed.
 */
export class ChildProcesses implements JobProcesses {
  readonly #program: string;
  readonly #args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  readonly #onSaid: (id: number, text: string) => void;
  readonly #running = new Set<ChildProcess>();

  constructor(parts: {
    /** The program's file, if it is not that of this process. */
    program?: string | undefined;
    /** The options of `catalog job`: where the data and the library are stored. */
    args: readonly string[];
    /** Environment of the processes, including values that must not be passed as arguments. */
    env: NodeJS.ProcessEnv;
    /** Called with a process's error output once the process has ended. */
    onSaid: (id: number, text: string) => void;
  }) {
    this.#program = parts.program ?? ownProgram;
    this.#args = parts.args;
    this.#env = parts.env;
    this.#onSaid = parts.onSaid;
  }

  run(id: number): Promise<string> {
    const child = fork(this.#program, ['job', `${id}`, ...this.#args], {
      execArgv: [],
      env: this.#env,
      // A separate process group: Ctrl-C in the server's terminal reaches only the server, which
      // then tells its processes.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#running.add(child);
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      said = `${said}${text}`.slice(-mostSaid);
    });
    return new Promise((resolve) => {
      const end = (how: string) => {
        this.#running.delete(child);
        if (said.trim() !== '') this.#onSaid(id, said.trim());
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
