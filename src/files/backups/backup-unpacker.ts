import { join } from 'node:path';
import type { ParsedTarEntry } from 'modern-tar';
import { backupParts, folderOf } from '../../core/backups/backup-parts.ts';
import type { RestoreReport } from '../../core/backups/backup-report.ts';
import {
  type BackupEntry,
  type BackupHead,
  isDatabase,
  manifestName,
  readEntry,
  readHead,
  sumName,
} from '../../core/backups/manifest.ts';
import { refused } from '../../core/shared/errors.ts';
import { isPlainName } from '../local/locate.ts';
import { damagedBackup } from './refusals.ts';
import { UnpackedFiles } from './unpacked-files.ts';

/**
 * Maximum length of a manifest line, in characters. A name has at most 255 bytes, and JSON may
 * encode each byte as six characters.
 */
const maxLineLength = 65_536;

/**
 * Unpacks the files of a backup, and then compares the files with the manifest. In a backup, the
 * manifest comes after the files.
 */
export class BackupUnpacker {
  readonly #file: string;
  readonly #files: UnpackedFiles;
  readonly #found: BackupEntry[] = [];
  #head: BackupHead | null = null;
  #hasEnded = false;

  constructor(file: string, staging: string) {
    this.#file = file;
    this.#files = new UnpackedFiles(staging);
  }

  async unpackEntry({ header, body }: ParsedTarEntry): Promise<void> {
    const { name, type = 'file', size } = header;
    if (type !== 'file' || this.#hasEnded) throw damagedBackup(this.#file);
    if (name === sumName) {
      this.#hasEnded = true;
      return body.cancel();
    }
    if (this.#head !== null) throw damagedBackup(this.#file);
    if (name === manifestName) return this.#compare(body);
    if (!isPathOfBackup(name)) throw refused(`${this.#file} is not a backup of Catalog`);
    const sha256 = await this.#files.write(name, body, header.pax?.mtime);
    this.#found.push({ path: name, size, sha256 });
  }

  close(): Promise<void> {
    return this.#files.close();
  }

  async end(): Promise<RestoreReport> {
    if (this.#head === null || !this.#hasEnded) throw damagedBackup(this.#file);
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
      throw damagedBackup(this.#file);
    }
  }

  async #compareEntry(stated: BackupEntry | null, index: number): Promise<void> {
    const found = this.#found[index];
    if (stated === null || stated.path !== found?.path) throw damagedBackup(this.#file);
    if (stated.size !== found.size || stated.sha256 !== found.sha256) {
      throw damagedBackup(this.#file, ` (${found.path})`);
    }
    if (!stated.isSuperseded) return;
    this.#found[index] = stated;
    const isAgain = this.#found.slice(index + 1).some(({ path }) => path === stated.path);
    if (!isAgain) await this.#files.remove(stated.path);
  }
}

function isPathOfBackup(path: string): boolean {
  if (isDatabase(path)) return true;
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
    if (text.length > maxLineLength) throw damagedBackup(file);
    yield* lines;
  }
  if (text !== '') throw damagedBackup(file);
}
