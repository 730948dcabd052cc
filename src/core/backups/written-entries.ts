import { refused } from '../shared/errors.ts';
import type { FileArea, OpenedFile, StoredFile } from '../shared/files/file-area.ts';
import type { BackupWatch } from './backup-report.ts';
import type { BackupEntry } from './manifest.ts';
import type { BackupWriter, DatabaseCopy } from './ports.ts';
import { openFile, readWhole } from './whole-file.ts';

/** Maximum number of times that a file is read if each read is disturbed by a write to the file. */
const maxReads = 5;

/** The version of a file that the backup will restore. */
interface RestorableVersion extends StoredFile {
  readonly sha256: string;
  /** Index of the version's entry in the backup. */
  readonly index: number;
}

/**
 * The entries written to a backup so far. Records for each file which entry contains the version to
 * restore.
 */
export class WrittenEntries {
  readonly #writer: BackupWriter;
  readonly #watch: BackupWatch;
  readonly #entries: BackupEntry[] = [];
  readonly #versions = new Map<string, RestorableVersion>();
  #done = 0;
  #expected = 0;
  #database = 0;

  constructor(writer: BackupWriter, watch: BackupWatch) {
    this.#writer = writer;
    this.#watch = watch;
  }

  /**
   * Increases the expected size of the backup by this many bytes. The size is used to report
   * progress.
   */
  expect(bytes: number): void {
    this.#expected += bytes;
  }

  expectDatabase(bytes: number): void {
    this.#database = bytes;
  }

  versionAt(path: string): RestorableVersion | undefined {
    return this.#versions.get(path);
  }

  /** Yields the paths below a folder that have a version to restore. */
  *paths(folder: string): Generator<string> {
    for (const path of this.#versions.keys()) if (path.startsWith(folder)) yield path;
  }

  count(folder: string): number {
    return this.paths(folder).reduce((count) => count + 1, 0);
  }

  /** Returns all entries, in order. */
  list(): readonly BackupEntry[] {
    return this.#entries;
  }

  /** Marks the entries of all paths not in `paths` as superseded. */
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#versions.keys()) if (!paths.has(path)) this.#drop(path);
  }

  #drop(path: string): void {
    const earlier = this.#versions.get(path);
    this.#versions.delete(path);
    if (earlier !== undefined) this.#supersede(earlier.index);
  }

  /**
   * Adds a file: the opened version `first` if passed, otherwise the current version. Marks the
   * earlier entry of the path as superseded. If the file no longer exists, the path has no version
   * to restore.
   */
  async add(path: string, area: FileArea, name: string, first?: OpenedFile): Promise<void> {
    for (let i = 0; i < maxReads; i++) {
      const file = (i === 0 && first) || (await openFile(area, name, path));
      if (file === null) return this.#drop(path);
      const index = this.#entries.length;
      const sha256 = await this.#write(path, file, readWhole(file, area, path));
      this.#drop(path);
      const { size, mtimeNs, etag } = file;
      this.#versions.set(path, { name, size, mtimeNs, etag, sha256, index });
      const now = await area.find(name);
      // If the file was written to in place during the read, the read is inconsistent and is
      // repeated. If the file was replaced by another file, the read is consistent.
      if (now === null || now.etag === etag || !isSameFile(now, file)) return;
    }
    throw refused(`${path} is written to all the time: it cannot be copied`);
  }

  async addDatabase(copy: DatabaseCopy, mtimeNs: bigint): Promise<void> {
    await this.#write(copy.name, { size: copy.size, mtimeNs }, copy.stream());
  }

  async #write(
    path: string,
    { size, mtimeNs }: { size: number; mtimeNs: bigint },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<string> {
    const sha256 = await this.#writer.add({ path, size, mtimeNs }, this.#watched(path, bytes));
    this.#entries.push({ path, size, sha256 });
    return sha256;
  }

  async *#watched(path: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.#reportProgress(path);
    for await (const piece of bytes) {
      this.#watch.signal.throwIfAborted();
      yield piece;
      this.#done += piece.byteLength;
      this.#reportProgress(path);
    }
  }

  #reportProgress(name: string): void {
    const total = Math.max(this.#expected + this.#database, this.#done);
    this.#watch.onProgress({ step: 'files', done: this.#done, total, name });
  }

  #supersede(index: number): void {
    const entry = this.#entries[index];
    if (entry) this.#entries[index] = { ...entry, isSuperseded: true };
  }
}

/**
 * Returns true if both are states of the same inode: the file was written to in place, not
 * replaced.
 */
function isSameFile(one: StoredFile, other: StoredFile): boolean {
  return one.inode !== undefined && one.inode === other.inode;
}
