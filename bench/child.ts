import { fork } from 'node:child_process';
import { join } from 'node:path';
import { killAtExit, stopChild } from '../measure/program.ts';

/** The modules of this folder that run in a separate process. */
type Module =
  | 'bare/bare-files.ts'
  | 'bare/bare-insert.ts'
  | 'bare/bare-server.ts'
  | 'bare/bare-walk.ts'
  | 'bare/bare-write.ts'
  | 'hash-work.ts';

/** Runs a module in a separate process. Returns the module's reply to `message`. */
export async function runInChild<T>(module: Module, message: object): Promise<T> {
  const { reply, stop } = await startChild<T>(module, message);
  await stop();
  return reply;
}

/**
 * Starts a module in a separate process. The module replies to `message` once and then runs until
 * it is stopped.
 */
export async function startChild<T>(
  module: Module,
  message: object,
): Promise<{ reply: T; stop: () => Promise<void> }> {
  const child = killAtExit(fork(join(import.meta.dirname, module)));
  child.send(message);
  const reply = await new Promise<T>((resolve, reject) => {
    child.once('message', (sent) => resolve(sent as T));
    child.once('exit', (code) => reject(new Error(`${module} ended with code ${code}`)));
  });
  return { reply, stop: () => stopChild(child) };
}
