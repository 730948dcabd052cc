import { DamagedImage, DiskFailure } from './file-failures.ts';
import type { LibraryRoot, ScannedFile } from './library-file.ts';
import type { Disk, ScannedFiles } from './ports.ts';
import { type RootHosts, withoutOtherHosts } from './root-hosts.ts';
import { innerRoots, placeRoots } from './scan/nested-roots.ts';

const filesPerPage = 500;

type RecordedImage = Pick<ScannedFile, 'path' | 'size' | 'mtimeNs'> & {
  readonly sha1: string | null;
};
type FileStat = Pick<ScannedFile, 'size' | 'mtimeNs'>;

/** Provides the library files as recorded by scans, and the same files as they are on disk now. */
export class RecordedImages {
  readonly #disk: Disk;
  readonly #scanned: ScannedFiles;
  readonly #hosts: RootHosts;

  constructor(parts: { disk: Disk; scanned: ScannedFiles; hosts: RootHosts }) {
    this.#disk = parts.disk;
    this.#scanned = parts.scanned;
    this.#hosts = parts.hosts;
  }

  /**
   * Returns the paths of the scanned roots. Roots of other hosts are left out, because this host
   * cannot read their files.
   */
  async roots(): Promise<string[]> {
    const scanned: string[] = [];
    for (const root of await withoutOtherHosts(this.#hosts, await this.#scanned.roots())) {
      if (await this.#scanned.wasScanned(root)) scanned.push(root.path);
    }
    return scanned.sort();
  }

  /** Returns the total size, in bytes, of the files below a root that have a usable SHA-1. */
  async hashedBytes(root: string): Promise<number> {
    let bytes = 0;
    for (let after = ''; ; ) {
      const page = await this.known(root, after);
      for (const { sha1, size } of page) if (sha1 !== null) bytes += size;
      const last = page.at(-1);
      if (last === undefined) return bytes;
      after = last.path;
    }
  }

  /**
   * Returns a page of the known files below a root in path order, starting after the path `after`.
   * `sha1` is null if the file has no usable hash, so the content of the file cannot be compared.
   */
  async known(root: string, after: string): Promise<RecordedImage[]> {
    const files = await this.#scanned.pageAfter(rootAt(root), after, filesPerPage);
    return files.map((file) => this.#toKnown(file));
  }

  /** Returns the record of a file. Returns null if the file is not known. */
  async knownOf(root: string, path: string): Promise<RecordedImage | null> {
    const [file] = await this.#scanned.filesAt(rootAt(root), [path]);
    return file === undefined ? null : this.#toKnown(file);
  }

  /**
   * Returns all files below a root, by path. Files below a nested root are left out. Throws
   * `DiskFailure` if the root cannot be read.
   */
  async walk(
    root: string,
    onUnreadable: (path: string, reason: string) => void,
  ): Promise<Map<string, FileStat>> {
    const found = new Map<string, FileStat>();
    const placed = await placeRoots((await this.roots()).map(rootAt), this.#disk);
    const outer = { root: rootAt(root), place: await this.#disk.placeOf(root) };
    const except = innerRoots(outer, placed).map(({ folder }) => folder);
    for await (const batch of this.#disk.walk(root, onUnreadable, except)) {
      for (const { path, size, mtimeNs } of batch) found.set(path, { size, mtimeNs });
    }
    return found;
  }

  /**
   * Returns a file in the form that `walk` would return now. Returns null if `walk` would not find
   * the file, and the reason if the file is unreadable.
   */
  async find(root: string, path: string): Promise<FileStat | { unreadable: string } | null> {
    try {
      return await this.#disk.find(root, path);
    } catch (error) {
      if (error instanceof DiskFailure) return { unreadable: error.message };
      throw error;
    }
  }

  /**
   * Returns the SHA-1 of a file's current content. If the file is damaged or unreadable, returns
   * the reason instead. Throws `SpoolDiskFailure`. Throws the signal's reason if the signal is
   * aborted.
   */
  async sha1Of(
    root: string,
    path: string,
    options: { signal: AbortSignal; rate?: number | undefined; onBytes: (bytes: number) => void },
  ): Promise<{ sha1: string } | { damaged: string } | { unreadable: string }> {
    const [file] = await this.#scanned.filesAt(rootAt(root), [path]);
    if (file === undefined) return { unreadable: 'a scan forgot it meanwhile' };
    try {
      const { sha1 } = await this.#disk.hash(path, file.identity, options);
      return { sha1 };
    } catch (error) {
      if (error instanceof DamagedImage) return { damaged: error.message };
      if (error instanceof DiskFailure) return { unreadable: error.message };
      throw error;
    }
  }

  /**
   * Converts a record. If another version of the reader hashed the file, `sha1` is null, because
   * the hash by that version may differ for an intact file.
   */
  #toKnown({ path, size, mtimeNs, hashes, reader }: ScannedFile): RecordedImage {
    const sha1 = this.#disk.isCurrent(reader) ? (hashes?.sha1 ?? null) : null;
    return { path, size, mtimeNs, sha1 };
  }
}

/**
 * Returns a root object for looking up files. Look-ups use only the path, so the system is
 * arbitrary.
 */
const rootAt = (path: string): LibraryRoot => ({ path, system: 'games' });
