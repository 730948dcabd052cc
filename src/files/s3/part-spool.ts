import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { asStorageError } from '../local/disk-error.ts';
import { writeAll } from '../local/write-all.ts';
import { ownerMark } from '../process-mark.ts';
import { DiskBody } from './disk-body.ts';

/**
 * A file in `tmp` for bytes that will be sent to the store. S3 requires the length of a part before
 * its first byte, so a part must be buffered. Memory is too small to buffer a part for each of
 * twenty uploads. After a crash, `sweepTmp` removes the file.
 */
export class Spool {
  readonly path: string;
  #handle: FileHandle | null = null;
  #size = 0;

  constructor(tmp: string) {
    this.path = join(tmp, ownerMark());
  }

  /** Size in bytes. */
  get size(): number {
    return this.#size;
  }

  /** Appends bytes to the file. Throws `insufficient storage` on a full disk. */
  async write(bytes: Uint8Array): Promise<void> {
    try {
      this.#handle ??= await this.#open();
      await writeAll(this.#handle, bytes, this.#size);
    } catch (error) {
      throw asStorageError(error);
    }
    this.#size += bytes.byteLength;
  }

  async #open(): Promise<FileHandle> {
    await mkdir(dirname(this.path), { recursive: true });
    return open(this.path, 'wx');
  }

  read(): Promise<Readable> {
    return DiskBody.open(this.path);
  }

  /** Removes the file; never throws. */
  async drop(): Promise<void> {
    await this.#handle?.close().catch(() => {});
    this.#handle = null;
    await rm(this.path, { force: true }).catch(() => {});
  }
}
