import { createHash } from 'node:crypto';
import { refused } from '../../shared/errors.ts';
import type { FileArea, StoredFile } from '../../shared/files/file-area.ts';
import { type BackupPart, backupParts, folderOf } from '../backup-parts.ts';
import { openFile, readWhole } from '../whole-file.ts';
import type { CopiedFilesReport, CopyWatch } from './copy-report.ts';
import type { CopiedFile, FilesDestination, SourceDatabase, StoredCopy } from './ports.ts';

export type Areas = Readonly<Record<BackupPart, FileArea>>;

/**
 * Copies all files to a destination, and reads each copy to verify it. Files that an interrupted
 * copy already stored at the destination are verified but not copied again.
 */
export class FilesCopy {
  readonly #areas: Areas;
  readonly #database: SourceDatabase;
  readonly #place: FilesDestination;
  readonly #watch: CopyWatch;
  readonly #copied: CopiedFile[] = [];
  /** The ETag of the copied version of each file, by path. */
  readonly #tags = new Map<string, string>();
  readonly #damaged: string[] = [];
  #skipped = 0;
  #bytes = 0;
  #done = 0;
  #total = 0;

  constructor(parts: {
    areas: Areas;
    database: SourceDatabase;
    place: FilesDestination;
    watch: CopyWatch;
  }) {
    this.#areas = parts.areas;
    this.#database = parts.database;
    this.#place = parts.place;
    this.#watch = parts.watch;
  }

  /**
   * Copies the files. Throws refused() when a copy differs from the bytes that were read. Throws
   * the signal's reason when aborted. Files copied before an error stay at the destination.
   */
  async run(): Promise<readonly CopiedFile[]> {
    for (const part of backupParts) {
      for await (const { size } of this.#areas[part].list()) this.#total += 2 * size;
    }
    for (const part of backupParts) {
      const recorded = await this.#recorded(part);
      for await (const file of this.#areas[part].list()) {
        this.#watch.signal.throwIfAborted();
        await this.#copy(part, file, recorded.get(file.name));
      }
    }
    return this.#copied;
  }

  /** Throws refused() when a file was changed, added or removed since the files were copied. */
  async checkUnchanged(): Promise<void> {
    let found = 0;
    for (const part of backupParts) {
      for await (const { name, etag } of this.#areas[part].list()) {
        found += 1;
        if (this.#tags.get(pathOf(part, name)) !== etag) throw changed();
      }
    }
    if (found !== this.#tags.size) throw changed();
  }

  report(): CopiedFilesReport {
    const covers = this.#copied.filter(({ part }) => part === 'covers').length;
    return {
      place: this.#place.name,
      covers,
      archives: this.#copied.length - covers,
      bytes: this.#bytes,
      skipped: this.#skipped,
      damaged: this.#damaged,
    };
  }

  /**
   * Returns, by file name, the recorded SHA-256 and the stamp (size and modification time) of the
   * hashed version.
   */
  async #recorded(part: BackupPart): Promise<Map<string, { stamp: string; sha256: string }>> {
    const recorded = new Map<string, { stamp: string; sha256: string }>();
    for await (const file of this.#database.recorded(part)) {
      recorded.set(file.name, { stamp: stampOf(file), sha256: file.sha256 });
    }
    return recorded;
  }

  async #copy(
    part: BackupPart,
    file: StoredFile,
    recorded: { stamp: string; sha256: string } | undefined,
  ): Promise<void> {
    const known = recorded?.stamp === stampOf(file) ? recorded.sha256 : null;
    const path = pathOf(part, file.name);
    const copied =
      (await this.#leave(part, file, known, path)) ?? (await this.#put(part, file, path));
    if (copied === null) return; // the file was removed meanwhile
    if (known !== null && known !== copied.sha256) this.#damaged.push(path);
    this.#tags.set(path, file.etag);
    this.#bytes += file.size;
    this.#copied.push(copied);
  }

  /**
   * Returns the copy of the file that already exists at the destination. Returns null if there is
   * no copy or its content differs.
   */
  async #leave(
    part: BackupPart,
    file: StoredFile,
    known: string | null,
    path: string,
  ): Promise<CopiedFile | null> {
    const there = await this.#place.find(part, file);
    if (there === null) return null;
    const wanted = known ?? (await this.#sumOfSource(part, file, path));
    const sha256 = await this.#sumThere(there, path).catch(() => null);
    this.#watch.signal.throwIfAborted();
    if (wanted === null || sha256 !== wanted) return null;
    this.#skipped += 1;
    this.#done += file.size;
    return copiedFile(part, file, there, sha256);
  }

  async #put(part: BackupPart, file: StoredFile, path: string): Promise<CopiedFile | null> {
    const area = this.#areas[part];
    const opened = await openFile(area, file.name, path);
    if (opened === null) return null;
    const hash = createHash('sha256');
    const there = await this.#place.put(
      part,
      file,
      this.#withProgress(readWhole(opened, area, path), path, (piece) => hash.update(piece)),
    );
    const sha256 = hash.digest('hex');
    if ((await this.#sumThere(there, path)) === sha256)
      return copiedFile(part, file, there, sha256);
    throw refused(`${path} in ${this.#place.name} differs from what was written: check that disk`);
  }

  async #sumOfSource(part: BackupPart, { name }: StoredFile, path: string): Promise<string | null> {
    const area = this.#areas[part];
    const opened = await openFile(area, name, path);
    return opened && sumOf(readWhole(opened, area, path), this.#watch.signal);
  }

  async #sumThere(there: StoredCopy, path: string): Promise<string> {
    return sumOf(this.#withProgress(there.bytes(), path), this.#watch.signal);
  }

  async *#withProgress(
    bytes: AsyncIterable<Uint8Array>,
    name: string,
    onPiece: (piece: Uint8Array) => void = () => undefined,
  ): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      this.#watch.signal.throwIfAborted();
      onPiece(piece);
      yield piece;
      this.#done += piece.byteLength;
      const total = Math.max(this.#total, this.#done);
      this.#watch.onProgress({ step: 'files', done: this.#done, total, name });
    }
  }
}

function copiedFile(
  part: BackupPart,
  { name, size }: StoredFile,
  { key, mtimeNs }: StoredCopy,
  sha256: string,
): CopiedFile {
  return { part, name, size, mtimeNs, sha256, key };
}

async function sumOf(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytes) {
    signal.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest('hex');
}

const pathOf = (part: BackupPart, name: string) => `${folderOf[part]}/${name}`;

const stampOf = ({ size, mtimeNs }: { size: number; mtimeNs: bigint }) => `${size} ${mtimeNs}`;

const changed = () =>
  refused(
    'files were changed while they were copied: copy again (files that were copied are skipped)',
  );
