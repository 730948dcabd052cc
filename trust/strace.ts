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
  const args = ['-f', '-p', String(pid), '-o', log, '-e', `trace=${name}`, '-e', inject];
  const strace = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    await attached(strace);
    await work();
  } finally {
    const ended = strace.exitCode === null ? once(strace, 'exit') : null;
    strace.kill('SIGINT');
    await ended;
  }
  return (await readFile(log, 'utf8')).includes('(INJECTED)');
}

/** It says so of the process, and of each thread; a thread that begins later is followed from its first call on. */
async function attached(strace: ChildProcess): Promise<void> {
  if (strace.stderr === null) throw new Error('strace has no standard error');
  for await (const line of createInterface({ input: strace.stderr })) {
    if (line.includes('attached')) return void strace.stderr.resume();
  }
  throw new Error('strace could not attach');
}
