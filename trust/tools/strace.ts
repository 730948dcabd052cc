import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** Returns the reason why system calls cannot be made to fail on this machine; null if they can. */
export function straceSkipReason(): string | null {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'needs strace, and the right to trace processes';
  }
}

/** A system call to fail. */
export interface FailedCall {
  /** Name of the call, such as `fsync`. */
  readonly name: string;
  /** Error to inject, such as `EIO`. */
  readonly error: string;
  /** The occurrence of the call to fail, counted from 1 in each thread. */
  readonly at: number;
}

/**
 * Makes a system call of a running process fail during `work`. Returns true if that occurrence of
 * the call was reached.
 */
export async function failCall(
  pid: number,
  { name, error, at }: FailedCall,
  log: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const inject = `inject=${name}:error=${error}:when=${at}`;
  const args = ['-f', '-p', String(pid), '-o', log, '-e', `trace=${name}`, '-e', inject];
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    await waitUntilAttached(strace);
    await work();
  } finally {
    const ended = strace.exitCode === null ? once(strace, 'exit') : null;
    strace.kill('SIGINT');
    await ended;
  }
  return (await readFile(log, 'utf8')).includes('(INJECTED)');
}

/**
 * Waits until strace reports that it is attached. strace also traces threads that start later, from
 * the first call of the thread.
 */
async function waitUntilAttached(strace: ChildProcess): Promise<void> {
  if (strace.stderr === null) throw new Error('strace has no standard error');
  for await (const line of createInterface({ input: strace.stderr })) {
    if (line.includes('attached')) return void strace.stderr.resume();
  }
  throw new Error('strace could not attach');
}
