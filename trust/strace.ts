import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** Why calls of the system cannot be made to fail here; null where they can. */
export function lackOfStrace(): string | null {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'needs strace, and the right to trace processes';
  }
}

/** A call of the system that is made to fail. */
export interface FailedCall {
  /** Such as `fsync`. */
  readonly name: string;
  /** Such as `EIO`. */
  readonly error: string;
  /** Which of them, from 1 on; counted in each thread. */
  readonly at: number;
}

/** Makes a call of a running process fail while `work` is done; returns whether that call came. */
export async function failCall(
  pid: number,
  { name, error, at }: FailedCall,
  log: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const inject = `inject=${name}:error=${error}:when=${at}`;
  await whileTraced(pid, ['-o', log, '-e', `trace=${name}`, '-e', inject], work);
  return (await readFile(log, 'utf8')).includes('(INJECTED)');
}

/** Makes each read of a file by a running process take `ms` longer while `work` is done. */
export async function slowReads<R>(
  { pid, file, ms }: { pid: number; file: string; ms: number },
  work: () => Promise<R>,
): Promise<R> {
  const inject = `inject=pread64:delay_enter=${ms * 1_000}`;
  return whileTraced(
    pid,
    ['-o', '/dev/null', '-P', file, '-e', 'trace=pread64', '-e', inject],
    work,
  );
}

async function whileTraced<R>(
  pid: number,
  options: readonly string[],
  work: () => Promise<R>,
): Promise<R> {
  const args = ['-f', '-p', String(pid), ...options];
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    await attached(strace);
    return await work();
  } finally {
    const ended = strace.exitCode === null ? once(strace, 'exit') : null;
    strace.kill('SIGINT');
    await ended;
  }
}

/** It says so of the process, and of each thread; a thread that begins later is followed from its first call on. */
async function attached(strace: ChildProcess): Promise<void> {
  if (strace.stderr === null) throw new Error('strace has no standard error');
  for await (const line of createInterface({ input: strace.stderr })) {
    if (line.includes('attached')) return void strace.stderr.resume();
  }
  throw new Error('strace could not attach');
}
