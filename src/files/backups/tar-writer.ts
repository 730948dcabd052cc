import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createTarPacker } from 'modern-tar';
import { isDatabase, manifestName, sumName } from '../../core/backups/manifest.ts';
import type { BackupWriter } from '../../core/backups/ports.ts';
import { writeAll } from '../local/write-all.ts';
import { withPathInErrors } from './write-atomically.ts';

/**
 * Writes a backup as a tar file that any tar program can unpack. Long names, large sizes and
 * nanosecond times are in pax headers (POSIX.1-2001). The last file contains the SHA-256 of all
 * bytes before that file, so that a restore detects every changed byte.
 */
export class TarWriter implements BackupWriter {
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly #packer = createTarPacker();
  readonly #hash = createHash('sha256');
  readonly #writing: Promise<void>;
  #position = 0;
  #waitsForMore = false;
  #hasFailed = false;
  #isClosed = false;

  /**
   * Creates the file `path`, which must not exist. Only the file's owner may read the file, because
   * the backup's database contains password hashes.
   */
  static async create(path: string): Promise<TarWriter> {
    const handle = await withPathInErrors(dirname(path), () => open(path, 'wx', 0o600));
    return new TarWriter(handle, path);
  }

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
    this.#writing = this.#writeOut().catch((error: unknown) => {
      this.#hasFailed = true;
      this.#packer.controller.error(error);
      throw error;
    });
    this.#writing.catch(() => undefined); // callers that await `#writing` get the error
  }

  async add(
    { path, size, mtimeNs }: { path: string; size: number; mtimeNs: bigint },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<string> {
    const hash = createHash('sha256');
    const mode = isDatabase(path) ? 0o600 : 0o644;
    const mtime = new Date(Math.max(0, Number(mtimeNs / 1_000_000n)));
    const pax = { mtime: secondsOf(mtimeNs) };
    const body = this.#packer.controller.add({ name: path, size, mtime, mode, pax }).getWriter();
    for await (const piece of bytes) {
      hash.update(piece);
      await body.write(piece);
    }
    await body.close();
    return hash.digest('hex');
  }

  async finish(manifest: Iterable<string>): Promise<number> {
    const pieces = inPieces(manifest);
    const mtimeNs = BigInt(Date.now()) * 1_000_000n;
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    await this.add({ path: manifestName, size, mtimeNs }, streamOf(pieces));
    await this.#waitUntilWritten();
    const sum = Buffer.from(`${this.#hash.digest('hex')}\n`);
    const body = this.#packer.controller
      .add({ name: sumName, size: sum.length, mtime: new Date(), mode: 0o644 })
      .getWriter();
    await body.write(sum);
    await body.close();
    this.#packer.controller.finalize();
    await this.#writing;
    await withPathInErrors(dirname(this.#path), () => this.#handle.sync());
    return this.#position;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (!this.#hasFailed) this.#packer.controller.error(new Error('the backup was aborted'));
    await this.#writing.catch(() => undefined);
    await this.#handle.close();
  }

  async #writeOut(): Promise<void> {
    const reader = this.#packer.readable.getReader();
    for (;;) {
      this.#waitsForMore = true;
      const { done, value } = await reader.read();
      this.#waitsForMore = false;
      if (done) return;
      if (!this.#isSummed) this.#hash.update(value);
      await withPathInErrors(dirname(this.#path), () =>
        writeAll(this.#handle, value, this.#position),
      );
      this.#position += value.length;
    }
  }

  #isSummed = false;

  /** Waits until all added bytes are hashed and written to the file. */
  async #waitUntilWritten(): Promise<void> {
    // While the stream has data, each read completes before a timer fires. So repeat a timer until
    // the reader waits for more data.
    do await setTimeout(1);
    while (!this.#waitsForMore && !this.#hasFailed);
    if (this.#hasFailed) await this.#writing;
    this.#isSummed = true;
  }
}

/** Formats a time in nanoseconds since 1970 for pax headers: seconds with nine decimal places. */
function secondsOf(ns: bigint): string {
  const text = `${ns < 0n ? -ns : ns}`.padStart(10, '0');
  return `${ns < 0n ? '-' : ''}${text.slice(0, -9)}.${text.slice(-9)}`;
}

/** Joins lines into pieces of about 64 KiB, so that many short lines need few writes. */
function inPieces(lines: Iterable<string>): Buffer[] {
  const pieces: Buffer[] = [];
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < 65_536) continue;
    pieces.push(Buffer.from(piece));
    piece = '';
  }
  if (piece !== '') pieces.push(Buffer.from(piece));
  return pieces;
}

async function* streamOf(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}
