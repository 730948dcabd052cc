import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import {
  Journal,
  type JournalLine,
  journalName,
  journalText,
  parseJournalLine,
} from '../../core/builds/journal.ts';
import { refused } from '../../core/shared/errors.ts';
import { codeOf, isFull } from '../local/disk-error.ts';
import { writeAll } from '../local/write-all.ts';

/** Maximum size of a journal, in bytes. The journal of a million files has about 600 MB. */
const maxBytes = 2 ** 30;

/** The journal of a target, as a file of lines that are only appended. */
export class JournalFile {
  readonly journal = new Journal();
  readonly #path: string;
  /** Number of bytes of complete lines. */
  #length = 0;
  /**
   * Size of the file when it was read, in bytes. It includes a last line that a crash may have cut.
   */
  #size = 0;
  #handle: FileHandle | null = null;
  /** Lines that did not fit on the full disk. They are written before the next line. */
  #unwritten = '';
  exists = false;

  /**
   * Reads the journal of a folder, which may be missing. A line that was cut by a crash is ignored.
   * Throws refused() if another line is damaged.
   */
  static async read(folder: string): Promise<JournalFile> {
    const file = new JournalFile(join(folder, journalName));
    const handle = await file.#open(constants.O_RDONLY).catch((error) => {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return null;
      throw error;
    });
    if (handle === null) return file;
    file.exists = true;
    try {
      await file.#load(handle);
    } finally {
      await handle.close();
    }
    return file;
  }

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Opens the file for `append`. Creates the file if there was none. Throws refused() if the size
   * is not that of the file that was read. This may mean that another device is mounted now.
   */
  async openForWriting(): Promise<void> {
    if (this.#handle !== null) return;
    const create = this.exists ? 0 : constants.O_CREAT | constants.O_EXCL;
    const handle = await this.#open(constants.O_WRONLY | create);
    const { size } = await handle.stat();
    if (size !== this.#size) {
      await handle.close();
      throw refused(`${this.#path} was changed meanwhile: run the command again`);
    }
    this.#handle = handle;
    if (size !== this.#length) await handle.truncate(this.#length);
    this.exists = true;
  }

  /**
   * Appends lines and applies them to `journal`. With `isDurable`, the lines survive a power cut
   * once the call has returned. With `mayBeFull`, a full disk is no error: the next call writes the
   * lines.
   */
  async append(
    lines: readonly JournalLine[],
    { isDurable = false, mayBeFull = false } = {},
  ): Promise<void> {
    const handle = this.#writable();
    const text = this.#unwritten + lines.map(journalText).join('');
    const bytes = Buffer.from(text);
    try {
      await writeAll(handle, bytes, this.#length);
      if (isDurable) await handle.datasync();
    } catch (error) {
      await handle.truncate(this.#length).catch(() => undefined);
      if (!mayBeFull || !isFull(error)) throw error;
      this.#unwritten = text;
      for (const line of lines) this.journal.apply(line);
      return;
    }
    this.#unwritten = '';
    this.#length += bytes.length;
    for (const line of lines) this.journal.apply(line);
  }

  /** Removes all lines. */
  async empty(): Promise<void> {
    this.#unwritten = '';
    await this.#writable().truncate(0);
    await this.#writable().sync();
    this.#length = 0;
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    if (handle === null) return;
    try {
      await writeAll(handle, Buffer.from(this.#unwritten), this.#length).catch((error) => {
        if (!isFull(error)) throw error;
      });
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  #writable(): FileHandle {
    if (this.#handle === null) throw new Error('the journal is not open for writing');
    return this.#handle;
  }

  async #open(flags: number): Promise<FileHandle> {
    const safe = flags | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await open(this.#path, safe, 0o644).catch((error) => {
      throw codeOf(error) === 'ELOOP' ? refused(`${this.#path} is a link: remove it`) : error;
    });
    const stat = await handle.stat();
    if (stat.isFile() && stat.size <= maxBytes) return handle;
    await handle.close();
    throw refused(`${this.#path} is not a journal of a build`);
  }

  async #load(handle: FileHandle): Promise<void> {
    let rest = Buffer.alloc(0);
    let number = 0;
    let damaged: number | null = null;
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      this.#size += (chunk as Buffer).length;
      const bytes = Buffer.concat([rest, chunk as Buffer]);
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        number += 1;
        if (damaged !== null) break;
        const line = parseJournalLine(bytes.toString('utf8', start, end));
        if (line === null) damaged = number;
        else {
          this.journal.apply(line);
          this.#length += end + 1 - start;
        }
        start = end + 1;
      }
      rest = bytes.subarray(start);
      if (damaged !== null && number > damaged) break;
    }
    // A crash may damage the last line only.
    if (damaged === null || number === damaged) return;
    throw refused(
      `${this.#path} is damaged in line ${damaged}: choose another folder, or remove the tree and its journal by hand`,
    );
  }
}
