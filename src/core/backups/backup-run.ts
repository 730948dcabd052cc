import type { Clock } from '../shared/clock.ts';
import { refused } from '../shared/errors.ts';
import type { FileArea, OpenedFile } from '../shared/file-area.ts';
import type { BackupReport, BackupWatch } from './backup-report.ts';
import { BackupEntries } from './entries.ts';
import { type BackupPart, folderOf, manifestLines } from './manifest.ts';
import type { BackupWriter, DatabaseCopy } from './ports.ts';

/** Files that were replaced just before the database was copied, and are held open until they are read. */
const mostLate = 500;
/** Passes over the files before the copy, until fewer were replaced. */
const mostPasses = 5;

export interface BackupRunParts {
  readonly writer: BackupWriter;
  readonly areas: Readonly<Record<BackupPart, FileArea>>;
  readonly parts: readonly BackupPart[];
  readonly copyDatabase: (beside: () => Promise<void>) => Promise<DatabaseCopy>;
  readonly clock: Clock;
  readonly watch: BackupWatch;
}

/**
 * One backup. The files are read first, however long that takes. Then, while nobody can write to the database, its state
 * is fixed for the copy, and what was replaced since it was read is opened; it is read when others write again. So the
 * backup holds the files that the copy records.
 */
export class BackupRun {
  readonly #parts: BackupRunParts;
  readonly #entries: BackupEntries;

  constructor(parts: BackupRunParts) {
    this.#parts = parts;
    this.#entries = new BackupEntries(parts.writer, parts.watch);
  }

  async write(): Promise<Omit<BackupReport, 'file' | 'archives'> & { archives: number }> {
    const { writer, parts, clock } = this.#parts;
    for (const part of parts) await this.#foresee(part);
    for (let pass = 0; pass < mostPasses && (await this.#readChanged()) > mostLate; pass++);
    const { copy, madeAt } = await this.#copy();
    try {
      await this.#entries.addDatabase(copy, BigInt(clock.now()) * 1_000_000n);
      const head = { madeAt, schema: copy.version, parts };
      const damaged = await this.#damaged(copy);
      const bytes = await writer.finish(manifestLines(head, this.#entries.list()));
      const count = (part: BackupPart) => this.#entries.count(`${folderOf[part]}/`);
      return {
        bytes,
        covers: count('covers'),
        archives: count('games') + count('videos'),
        damaged,
      };
    } finally {
      await copy.remove();
    }
  }

  async #foresee(part: BackupPart): Promise<void> {
    for await (const { size } of this.#parts.areas[part].list()) this.#entries.expect(size);
  }

  /** Returns how many files it read. */
  async #readChanged(): Promise<number> {
    let read = 0;
    for await (const { path, area, name } of this.#changed()) {
      await this.#entries.add(path, area, name);
      read += 1;
    }
    return read;
  }

  async #copy(): Promise<{ copy: DatabaseCopy; madeAt: string }> {
    const { copyDatabase, clock } = this.#parts;
    const late: { path: string; area: FileArea; name: string; file: OpenedFile }[] = [];
    const there = new Set<string>();
    let madeAt = '';
    try {
      const copy = await copyDatabase(async () => {
        madeAt = clock.timestamp();
        for await (const { path, area, name } of this.#changed(there)) {
          const file = await area.open(name);
          if (file !== null) late.push({ path, area, name, file });
          if (late.length > 2 * mostLate) throw refused('too many files are replaced: try again');
        }
      });
      this.#entries.expectDatabase(copy.size);
      try {
        this.#entries.keepOnly(there);
        for (const { path, area, name, file } of late) {
          await this.#entries.add(path, area, name, file);
        }
        return { copy, madeAt };
      } catch (error) {
        await copy.remove();
        throw error;
      }
    } finally {
      for (const { file } of late) await file.close();
    }
  }

  /** The files of which another version is held, or none; `there` gets the paths of all. */
  async *#changed(there?: Set<string>) {
    for (const part of this.#parts.parts) {
      const area = this.#parts.areas[part];
      for await (const { name, etag } of area.list()) {
        this.#parts.watch.signal.throwIfAborted();
        const path = `${folderOf[part]}/${name}`;
        there?.add(path);
        if (this.#entries.held(path)?.etag !== etag) yield { path, area, name };
      }
    }
  }

  /** The paths whose bytes are not those that were recorded of this size and time. */
  async #damaged(copy: DatabaseCopy): Promise<string[]> {
    const damaged: string[] = [];
    for await (const { part, name, size, mtimeNs, sha256 } of copy.files(this.#parts.parts)) {
      const path = `${folderOf[part]}/${name}`;
      const held = this.#entries.held(path);
      const isRecorded = held?.size === size && held.mtimeNs === mtimeNs;
      if (isRecorded && held.sha256 !== sha256) damaged.push(path);
    }
    return damaged;
  }
}
