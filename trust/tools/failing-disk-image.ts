import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const startMs = 10_000;

/** An in-memory disk image. `fail` makes all writes to the image fail with EIO. */
export interface FailingImage {
  /** Path of the image, for mkfs and mount. */
  readonly file: string;
  fail(): void;
  heal(): void;
  /** Stops the tools that serve the image. The image must be unmounted before. */
  close(): Promise<void>;
}

/**
 * Makes an image that nbdkit serves with its filter `error`. nbdfuse exposes the image as a file.
 * Throws if one of the tools does not start.
 */
export async function makeFailingImage(folder: string, bytes: number): Promise<FailingImage> {
  const [file, socket, trigger] = ['image', 'socket', 'fails'].map((name) => join(folder, name));
  if (!file || !socket || !trigger) throw new Error('no names');
  const errors = ['error-pwrite-rate=100%', 'error-pwrite=EIO', `error-file=${trigger}`];
  const kit = ['-f', '-U', socket, '--filter=error', 'memory', String(bytes), ...errors];
  const started: ChildProcess[] = [];
  const start = async (tool: string, args: string[], isReady: () => boolean) => {
    const child = spawn(tool, args, { stdio: 'ignore' });
    started.unshift(child);
    for (const until = performance.now() + startMs; !isReady(); ) {
      if (child.exitCode !== null || performance.now() > until) {
        throw new Error(`${tool} did not start`);
      }
      await setTimeout(50);
    }
  };
  const close = async () => {
    for (const child of started) {
      if (child.exitCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  };
  try {
    await start('nbdkit', kit, () => existsSync(socket));
    writeFileSync(file, ''); // nbdfuse needs an existing file as mount point
    await start('nbdfuse', [file, `nbd+unix:///?socket=${socket}`], () => {
      return statSync(file).size === bytes;
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    file,
    fail: () => writeFileSync(trigger, ''),
    heal: () => rmSync(trigger, { force: true }),
    close,
  };
}
