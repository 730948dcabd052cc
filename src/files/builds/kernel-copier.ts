import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { type LibrarySource, type PlaceOptions, StepProblem } from '../../core/builds/ports.ts';
import { statAt } from './target-reader.ts';

/** Interval at which the size of a growing copy is checked, in milliseconds. */
const pollMs = 50;
/** Time after which an idle process ends, in milliseconds. */
const idleMs = 5_000;

const program = `
const { constants, copyFileSync } = require('node:fs');
process.on('disconnect', () => process.exit());
process.on('message', ({ from, to }) => {
  let isCopied = true;
  try { copyFileSync(from, to, constants.COPYFILE_EXCL); } catch { isCopied = false; }
  if (process.connected) process.send({ isCopied });
});`;

/**
 * Copies large files with copy_file_range(2), which takes less processor time than reads and
 * writes. Node cannot interrupt such a copy, and the copy never ends if the source becomes shorter.
 * So a separate process makes the copy, because a process can be killed.
 */
export class KernelCopier {
  #child: ChildProcess | null = null;
  #idle: NodeJS.Timeout | undefined;
  #isPossible = process.platform === 'linux';

  /**
   * Copies an open file to a new file, and does not sync the new file. Returns false, without a new
   * file, if the system cannot make the copy. Throws `StepProblem` if the source was changed
   * meanwhile, and the signal's reason if aborted.
   */
  async copy(
    from: FileHandle,
    to: string,
    source: LibrarySource,
    { signal, onBytes }: Pick<PlaceOptions, 'signal' | 'onBytes'>,
    bytesPerSync: number,
  ): Promise<boolean> {
    if (!this.#isPossible) return false;
    clearTimeout(this.#idle);
    const child = this.#running();
    let bytes = 0;
    let isOver = false;
    let syncing: Promise<void> = Promise.resolve();
    let syncedAt = 0;
    const reply = Promise.race([
      once(child, 'message').then(([{ isCopied }]) => isCopied === true),
      once(child, 'exit').then(() => false),
    ])
      .catch(() => false)
      .finally(() => {
        isOver = true;
      });
    child.send({ from: `/proc/${process.pid}/fd/${from.fd}`, to }, () => undefined);
    while (!isOver) {
      await Promise.race([reply, setTimeout(pollMs)]);
      if (isOver) break;
      const isShorter = Number((await from.stat()).size) < source.size;
      if (signal.aborted || isShorter) await this.#kill(child);
      const size = Number((await statAt(to))?.size ?? 0);
      if (size > bytes) onBytes(size - bytes);
      bytes = Math.max(size, bytes);
      if (bytes - syncedAt < bytesPerSync) continue;
      syncedAt = bytes;
      syncing = syncing.then(() => startWriting(to));
    }
    await syncing;
    const isCopied = await reply;
    this.#idle = global.setTimeout(() => void this.#end(), idleMs).unref();
    const { size, mtimeNs } = await from.stat({ bigint: true });
    const isSame = Number(size) === source.size && mtimeNs === source.mtimeNs;
    if (isCopied && isSame && !signal.aborted) {
      onBytes(source.size - bytes);
      return true;
    }
    await rm(to, { force: true });
    signal.throwIfAborted();
    if (!isSame) {
      throw new StepProblem('failed', `${source.path} was changed while it was copied`);
    }
    this.#isPossible = false;
    onBytes(-bytes); // the caller copies the file again
    return false;
  }

  #running(): ChildProcess {
    if (this.#child !== null) return this.#child;
    const child = spawn(process.execPath, ['-e', program], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {},
    });
    child.once('exit', () => {
      if (this.#child === child) this.#child = null;
    });
    child.on('error', () => undefined); // `copy` treats this as a failed copy
    child.unref();
    child.channel?.unref();
    this.#child = child;
    return child;
  }

  async #kill(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  #end(): void {
    const child = this.#child;
    this.#child = null;
    if (child?.connected) child.disconnect();
  }
}

/**
 * Syncs what a growing file contains so far. Ignores errors: the sync of the whole file fails too.
 */
async function startWriting(path: string): Promise<void> {
  const file = await open(path, 'r').catch(() => null);
  await file?.datasync().catch(() => undefined);
  await file?.close();
}
