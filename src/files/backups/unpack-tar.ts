import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import type { BackupWatch, RestoreReport } from '../../core/backups/backup-report.ts';
import {
  type BackupEntry,
  type BackupHead,
  backupParts,
  databaseName,
  folderOf,
  manifestName,
  readEntry,
  readHead,
  sumName,
} from '../../core/backups/manifest.ts';
import { CatalogError, refused } from '../../core/shared/errors.ts';
import { isSystemError, systemReason } from '../../core/shared/system-reason.ts';
import { isPlainName } from '../locate.ts';
import { changed } from './refusals.ts';
import { UnpackedFiles } from './unpacked-files.ts';

/** At the end of every backup: the header and the one block of the sum, and two empty blocks. */
const tailBytes = 2048;
const pieceBytes = 256 * 1024;
/** Of one line of a manifest: the longest name is 255 bytes, which JSON may write as six times as many. */
const mostLine = 65_536;

export function isTar(head: Buffer): boolean {
  return head.toString('latin1', 257, 262) === 'ustar';
}

/**
 * Unpacks a backup below `staging`, safe on disk when it resolves. Throws refused() when any byte of it is not as it was
 * written.
 */
export async function unpackTar(
  backup: FileHandle,
  file: string,
  staging: string,
  options: BackupWatch,
): Promise<RestoreReport> {
  const { size } = await backup.stat();
  const expected = await sumAtEnd(backup, size);
  if (expected === null) throw changed(file);
  const decoder = createTarDecoder({ strict: true });
  const feeding = feed(backup, file, size, decoder.writable, options);
  feeding.catch(() => undefined); // told below
  const unpacking = new Unpacking(file, staging);
  try {
    for await (const entry of decoder.readable) await unpacking.take(entry);
  } catch (error) {
    await unpacking.close();
    await decoder.writable.abort(error).catch(() => undefined);
    // What stopped the reading is the cause of what the decoder says of it.
    const cause = await feeding.then(
      () => error,
      (fed: unknown) => (fed instanceof CatalogError ? fed : error),
    );
    if (options.signal.aborted) throw options.signal.reason;
    throw cause instanceof CatalogError || isSystemError(cause) ? cause : changed(file);
  }
  try {
    if ((await feeding) !== expected) throw changed(file);
    return await unpacking.end();
  } finally {
    await unpacking.close();
  }
}

/** The sum that the backup ends with, lower-case hexadecimal; null when it does not end as backups do. */
async function sumAtEnd(backup: FileHandle, size: number): Promise<string | null> {
  const tail = Buffer.alloc(tailBytes);
  if (size < tailBytes || size % 512 !== 0) return null;
  await backup.read(tail, 0, tailBytes, size - tailBytes);
  const sum = tail.toString('latin1', 512, 576);
  const rest = Buffer.concat([Buffer.from(`${sum}\n`), Buffer.alloc(tailBytes - 512 - 65)]);
  return /^[0-9a-f]{64}$/.test(sum) && tail.subarray(512).equals(rest) ? sum : null;
}

/** Reads the backup into the decoder; returns the SHA-256 of all but its end. */
async function feed(
  backup: FileHandle,
  file: string,
  size: number,
  to: WritableStream<Uint8Array>,
  { signal, onProgress }: BackupWatch,
): Promise<string> {
  const writer = to.getWriter();
  const hash = createHash('sha256');
  try {
    for (let at = 0; at < size; ) {
      signal.throwIfAborted();
      const summed = at < size - tailBytes;
      const length = Math.min(pieceBytes, (summed ? size - tailBytes : size) - at);
      const { bytesRead, buffer } = await backup
        .read(Buffer.allocUnsafeSlow(length), 0, length, at)
        .catch((error: unknown) => {
          throw refused(`cannot read ${file}: ${systemReason(error)}`, error);
        });
      if (bytesRead === 0) throw changed(file);
      const piece = buffer.subarray(0, bytesRead);
      if (summed) hash.update(piece);
      await writer.write(piece);
      at += bytesRead;
      onProgress({ done: at, total: size, name: '' });
    }
    await writer.close();
    return hash.digest('hex');
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  } finally {
    writer.releaseLock();
  }
}

/** What was unpacked so far, compared with the manifest when that comes. */
class Unpacking {
  readonly #file: string;
  readonly #files: UnpackedFiles;
  readonly #found: BackupEntry[] = [];
  #head: BackupHead | null = null;
  #hasEnded = false;

  constructor(file: string, staging: string) {
    this.#file = file;
    this.#files = new UnpackedFiles(staging);
  }

  async take({ header, body }: ParsedTarEntry): Promise<void> {
    const { name, type = 'file', size } = header;
    if (type !== 'file' || this.#hasEnded) throw changed(this.#file);
    if (name === sumName) {
      this.#hasEnded = true;
      return body.cancel();
    }
    if (this.#head !== null) throw changed(this.#file);
    if (name === manifestName) return this.#compare(body);
    if (!isPathOfBackup(name)) throw refused(`${this.#file} is no backup of Catalog`);
    const sha256 = await this.#files.write(name, body, header.pax?.mtime);
    this.#found.push({ path: name, size, sha256 });
  }

  close(): Promise<void> {
    return this.#files.close();
  }

  async end(): Promise<RestoreReport> {
    if (this.#head === null || !this.#hasEnded) throw changed(this.#file);
    await this.#files.end();
    const kept = this.#found.filter(({ isSuperseded }) => !isSuperseded);
    const bytes = kept.reduce((sum, { size }) => sum + size, 0);
    const under = (folder: string) => kept.filter(({ path }) => path.startsWith(folder)).length;
    const { madeAt, parts } = this.#head;
    const hasStore = parts.includes('games');
    return { madeAt, covers: under('covers/'), archives: hasStore ? under('store/') : null, bytes };
  }

  async #compare(body: AsyncIterable<Uint8Array>): Promise<void> {
    let index = -1;
    for await (const line of linesOf(body, this.#file)) {
      if (index === -1) {
        this.#head = readHead(line);
        if (this.#head === null) {
          throw refused(`${this.#file} was written by another version: use a newer catalog`);
        }
      } else {
        await this.#compareEntry(readEntry(line), index);
      }
      index += 1;
    }
    if (this.#head?.entries !== this.#found.length || index !== this.#found.length) {
      throw changed(this.#file);
    }
  }

  async #compareEntry(stated: BackupEntry | null, index: number): Promise<void> {
    const found = this.#found[index];
    if (stated === null || stated.path !== found?.path) throw changed(this.#file);
    if (stated.size !== found.size || stated.sha256 !== found.sha256) {
      throw changed(this.#file, ` (${found.path})`);
    }
    if (!stated.isSuperseded) return;
    this.#found[index] = stated;
    const isAgain = this.#found.slice(index + 1).some(({ path }) => path === stated.path);
    if (!isAgain) await this.#files.remove(stated.path);
  }
}

function isPathOfBackup(path: string): boolean {
  if (path === databaseName) return true;
  const at = path.lastIndexOf('/');
  const isFolder = backupParts.some((part) => folderOf[part] === path.slice(0, at));
  return isFolder && isPlainName(path.slice(at + 1)) && join('/', path) === `/${path}`;
}

async function* linesOf(body: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    if (text.length > mostLine) throw changed(file);
    yield* lines;
  }
  if (text !== '') throw changed(file);
}
