import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDatabase } from '../../core/backups/manifest.ts';
import { syncFolder } from '../local/durable.ts';
import { setTime } from '../local/set-time.ts';
import { writeAll } from '../local/write-all.ts';
import { withPathInErrors } from './write-atomically.ts';

/** Number of files that are synced together. The disk can then write all of them in one pass. */
const maxUnsynced = 32;

/** Writes the files of a backup below a folder while the backup is unpacked. */
export class UnpackedFiles {
  readonly #top: string;
  readonly #folders = new Set<string>();
  #unsynced: FileHandle[] = [];

  constructor(top: string) {
    this.#top = top;
  }

  /**
   * Writes a file, and replaces an earlier file with the same path. `mtime` is in seconds since
   * 1970; if undefined, the modification time is not set. Returns the SHA-256 of the bytes, in
   * lower-case hexadecimal.
   */
  write(
    path: string,
    bytes: AsyncIterable<Uint8Array>,
    mtime: string | undefined,
  ): Promise<string> {
    return withPathInErrors(this.#top, async () => {
      await this.#makeFolder(dirname(path));
      const handle = await open(join(this.#top, path), 'w', isDatabase(path) ? 0o600 : 0o644);
      this.#unsynced.push(handle);
      const hash = createHash('sha256');
      let at = 0;
      for await (const piece of bytes) {
        hash.update(piece);
        await writeAll(handle, piece, at);
        at += piece.byteLength;
      }
      await restoreTime(handle, mtime);
      if (this.#unsynced.length >= maxUnsynced) await this.#sync();
      return hash.digest('hex');
    });
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.#top, path), { force: true });
  }

  /** Syncs all files and folders to disk. */
  async end(): Promise<void> {
    await withPathInErrors(this.#top, async () => {
      await this.#sync();
      for (const folder of this.#folders) await syncFolder(join(this.#top, folder));
    });
  }

  async close(): Promise<void> {
    const handles = this.#unsynced;
    this.#unsynced = [];
    await Promise.all(handles.map((handle) => handle.close().catch(() => undefined)));
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#folders.has(folder)) return;
    await mkdir(join(this.#top, folder), { recursive: true });
    for (let each = folder; each !== '.'; each = dirname(each)) this.#folders.add(each);
  }

  async #sync(): Promise<void> {
    const handles = this.#unsynced;
    this.#unsynced = [];
    try {
      await Promise.all(handles.map((handle) => handle.sync()));
    } finally {
      await Promise.all(handles.map((handle) => handle.close()));
    }
  }
}

/**
 * Sets the modification time of a file. `mtime` is in seconds since 1970, with up to nine decimal
 * places. Does nothing if `mtime` is missing or not a number.
 */
async function restoreTime(handle: FileHandle, mtime: string | undefined): Promise<void> {
  if (mtime === undefined || !Number.isFinite(Number(mtime))) return;
  const [seconds = '0', fraction = ''] = mtime.split('.');
  await setTime(handle, BigInt(seconds + fraction.padEnd(9, '0').slice(0, 9)));
}
