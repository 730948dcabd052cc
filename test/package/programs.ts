import { type ChildProcess, execFile } from 'node:child_process';

/** How a program ended, and all it printed. */
export interface Ended {
  code: number | string | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. */
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

/** Resolves when a started program ends. */
export function endOf(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code: code ?? signal, stdout, stderr }));
  });
}

/** Runs npm as a user would from a shell of their own: without what the npm around this test has set. */
export function npm(cwd: string, args: string[]): Promise<Ended> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(?!config_(registry|.*cafile|.*proxy|cache$))|^NODE_ENV$/i.test(name),
    ),
  );
  return run('npm', [...args, '--no-audit', '--no-fund'], { cwd, env });
}

/** The same, but fails with what was printed unless the exit code is 0. */
export async function succeed(running: Promise<Ended>): Promise<Ended> {
  const ended = await running;
  if (ended.code !== 0) throw new Error(`${ended.code}: ${ended.stdout}${ended.stderr}`);
  return ended;
}
