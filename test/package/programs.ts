import { type ChildProcess, execFile } from 'node:child_process';

/** The exit code and output of a program. */
export interface Ended {
  code: number | string | null;
  stdout: string;
  stderr: string;
}

/** Runs a program and waits until it exits. */
export function run(
  program: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 2 ** 26, ...options }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? error.signal ?? null), stdout, stderr }),
    );
  });
}

/** Resolves when a running program exits. */
export function endOf(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code: code ?? signal, stdout, stderr }));
  });
}

/** Runs npm like a user in a shell, without the variables that the outer npm has set. */
export function npm(cwd: string, args: string[]): Promise<Ended> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(?!config_(registry|.*cafile|.*proxy|cache$))|^NODE_ENV$/i.test(name),
    ),
  );
  return run('npm', [...args, '--no-audit', '--no-fund'], { cwd, env });
}

/** Waits for a program. If the exit code is not 0, throws an error with its output. */
export async function succeed(running: Promise<Ended>): Promise<Ended> {
  const ended = await running;
  if (ended.code !== 0) throw new Error(`${ended.code}: ${ended.stdout}${ended.stderr}`);
  return ended;
}
