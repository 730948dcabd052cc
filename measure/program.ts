import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { peakMemoryMib } from './memory.ts';

/** Password of the account `admin`. The first server on a data folder creates this account. */
export const adminPassword = 'bench-password';

/** Path of the built program. The program must be built before measuring. */
export const builtProgram = join(import.meta.dirname, '../dist/main.js');

const children = new Set<ChildProcess>();

/**
 * Calls `work` with an empty folder. When this process exits for any reason, all child processes
 * are killed and the folder is removed.
 */
export async function withWorkFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-bench-'));
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
  await work(folder);
}

/**
 * Runs one command of the built program, or of another build, and waits for its end. Returns the
 * standard output. Throws if the command fails.
 */
export async function runCatalog(args: readonly string[], program?: string): Promise<string> {
  return (await measureCatalog(args, program)).output;
}

/**
 * Runs one command like `runCatalog`. Returns the standard output and the peak memory in MiB; `mib`
 * is null if the system does not report the peak.
 */
export async function measureCatalog(
  args: readonly string[],
  program?: string,
): Promise<{ output: string; mib: number | null }> {
  const child = spawnCatalog(args, 'inherit', program);
  let mib: number | null = null;
  const sampling = setInterval(() => {
    mib = Math.max(mib ?? 0, peakMemoryMib(child.pid ?? 0) ?? 0) || null;
  }, 100);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  clearInterval(sampling);
  if (code !== 0) throw new Error(`catalog ${args[0]} ended with code ${code}`);
  return { output, mib };
}

/** A running server process. */
export interface Server {
  readonly url: string;
  readonly pid: number;
  /** Resolves to the exit code; null if a signal killed the server. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

/**
 * Starts a server on loopback and a free port. The server logs its requests to the file `log`;
 * without `log`, the log is discarded.
 */
export async function startServer(
  data: string,
  more: readonly string[] = [],
  program?: string,
  env: Readonly<Record<string, string>> = {},
  log?: string,
): Promise<Server> {
  const args = ['serve', '--data', data, '--host', '127.0.0.1', '--port', '0', ...more];
  const logged = log === undefined ? 'ignore' : openSync(log, 'a');
  const child = spawnCatalog(args, logged, program, env);
  if (typeof logged === 'number') closeSync(logged); // the child has its own descriptor
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url !== undefined) return { url, pid: child.pid ?? 0, ended, stop: () => stopChild(child) };
  }
  throw new Error('the server did not start');
}

/** Starts the program `main`. Does not pass on settings from the environment of this process. */
function spawnCatalog(
  args: readonly string[],
  stderr: 'inherit' | 'ignore' | number,
  main = builtProgram,
  more: Readonly<Record<string, string>> = {},
) {
  const own = { CATALOG_ADMIN_PASSWORD: adminPassword, CATALOG_SCAN_EVERY: '0' };
  const env = { PATH: process.env.PATH, ...own, ...more };
  const child = spawn(process.execPath, [main, ...args], {
    env,
    stdio: ['ignore', 'pipe', stderr],
  });
  return killAtExit(child as ChildProcessByStdio<null, Readable, null>);
}

/** Returns `child`. If this process exits before the child process, the child process is killed. */
export function killAtExit<T extends ChildProcess>(child: T): T {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Sends SIGTERM to a child process, and waits until the child process has ended. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
