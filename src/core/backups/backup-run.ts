import type { Clock } from '../shared/clock.ts';
import { refused } from '../shared/errors.ts';
import type { FileArea, OpenedFile } from '../shared/files/file-area.ts';
import { type BackupPart, folderOf } from './backup-parts.ts';
import type { BackupReport, BackupWatch } from './backup-report.ts';
import { manifestLines } from './manifest.ts';
import type { BackupWriter, DatabaseCopy } from './ports.ts';
import { WrittenEntries } from './written-entries.ts';

/**
 * If a pass over the files finds at most this many changed files, no further pass follows. Files
 * that change after the last pass are held open until they are read.
 */
const maxLateFiles = 500;
/**
 * Maximum number of passes over the files before the database is copied. Fewer passes are made when
 * a pass finds at most `maxLateFiles` changed files.
 */
const maxPasses = 5;
/** Maximum number of times that the folders are listed while the database is locked for writing. */
const maxListings = 5;

/** The current version of a file that was replaced after it was read. The file is held open. */
interface LateFile {
  readonly path: string;
  readonly area: FileArea;
  readonly name: string;
  readonly file: OpenedFile;
}

export interface BackupRunParts {
  readonly writer: BackupWriter;
  readonly areas: Readonly<Record<BackupPart, FileArea>>;
  readonly parts: readonly BackupPart[];
  readonly copyDatabase: (whileCopying: () => Promise<void>) => Promise<DatabaseCopy>;
  readonly clock: Clock;
  readonly watch: BackupWatch;
}

/**
 * Writes one backup in these steps:
 * 1. It reads all files, however long that takes.
 * 2. It locks the database for writing, and fixes the database state to copy.
 * 3. It opens the files that were replaced after they were read.
 * 4. It releases the lock and reads the files opened in step 3.
 * The backup therefore contains exactly the files that the copied database records.
 */
export class BackupRun {
  readonly #parts: BackupRunParts;
  readonly #entries: WrittenEntries;

  constructor(parts: BackupRunParts) {
    this.#parts = parts;
    this.#entries = new WrittenEntries(parts.writer, parts.watch);
  }

  async write(): Promise<Omit<BackupReport, 'file' | 'archives'> & { archives: number }> {
    const { writer, parts, clock } = this.#parts;
    for (const part of parts) await this.#foresee(part);
    for (let pass = 0; pass < maxPasses && (await this.#readChanged()) > maxLateFiles; pass++);
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

  /** Adds the files that are new or have changed since they were read. Returns their number. */
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
    const late: LateFile[] = [];
    let there: ReadonlySet<string> = new Set();
    let madeAt = '';
    try {
      const copy = await copyDatabase(async () => {
        madeAt = clock.timestamp();
        there = await this.#openChanged(late);
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
      await closeAll(late);
    }
  }

  /**
   * Opens the files that were replaced since they were read. Returns the paths of all files.
   *
   * A change recorded before the database was locked may still be renaming files. While it replaces
   * a cover by one of another type, a folder listing can miss both files. The listing passes the
   * new name before the new file exists, and reaches the old name after the old file was removed.
   * If a file has disappeared, the folders are therefore listed again.
   */
  async #openChanged(late: LateFile[]): Promise<ReadonlySet<string>> {
    let before = [...this.#entries.paths('')];
    for (let attempt = 0; attempt < maxListings; attempt += 1) {
      const there = new Set<string>();
      let isWhole = true;
      for await (const { path, area, name } of this.#changed(there)) {
        const file = await area.open(name);
        if (file === null) isWhole = false;
        else late.push({ path, area, name, file });
        if (late.length > 2 * maxLateFiles) throw refused('too many files are replaced: try again');
      }
      if (isWhole && before.every((path) => there.has(path))) return there;
      before = [...there];
      await closeAll(late);
    }
    throw refused('files are replaced all the time: try again');
  }

  /**
   * Yields the files whose current version is not in the backup. Adds the paths of all existing
   * files to `there`.
   */
  async *#changed(there?: Set<string>) {
    for (const part of this.#parts.parts) {
      const area = this.#parts.areas[part];
      for await (const { name, etag } of area.list()) {
        this.#parts.watch.signal.throwIfAborted();
        const path = `${folderOf[part]}/${name}`;
        there?.add(path);
        if (this.#entries.versionAt(path)?.etag !== etag) yield { path, area, name };
      }
    }
  }

  /**
   * Returns the paths of files whose bytes differ from the recorded hash although size and
   * modification time match the record.
   */
  async #damaged(copy: DatabaseCopy): Promise<string[]> {
    const damaged: string[] = [];
    for await (const { part, name, size, mtimeNs, sha256 } of copy.files(this.#parts.parts)) {
      const path = `${folderOf[part]}/${name}`;
      const stored = this.#entries.versionAt(path);
      const isRecorded = stored?.size === size && stored.mtimeNs === mtimeNs;
      if (isRecorded && stored.sha256 !== sha256) damaged.push(path);
    }
    return damaged;
  }
}

async function closeAll(late: LateFile[]): Promise<void> {
  for (const { file } of late.splice(0)) await file.close();
}
