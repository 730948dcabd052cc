import { busy, fileOnOtherHost, libraryDownloadsOff, notFound } from '../shared/errors.ts';
import type { OpenedFile } from '../shared/files/file-area.ts';
import { DiskFailure } from './file-failures.ts';
import type { Disk, LibraryDownloadRecords, LibraryRecords } from './ports.ts';
import type { RootHosts } from './root-hosts.ts';

/** A library file that is open for a download. */
export interface OpenedLibraryFile {
  readonly file: OpenedFile;
  /** The system of the root that contains the file. */
  readonly system: string;
}

/** Opens library files for downloads, and records the downloads. */
export class LibraryDownloads {
  readonly #isOn: boolean;
  readonly #files: Pick<LibraryRecords['files'], 'findPlace'>;
  readonly #records: LibraryDownloadRecords;
  readonly #roots: readonly { readonly path: string }[];
  readonly #hosts: RootHosts;
  readonly #disk: Pick<Disk, 'find'>;
  readonly #openPath: (path: string) => Promise<OpenedFile | null>;

  constructor(parts: {
    /** False if the operator has turned off downloads from the library. */
    isOn: boolean;
    files: Pick<LibraryRecords['files'], 'findPlace'>;
    records: LibraryDownloadRecords;
    /** The roots of this server's settings. Files of other roots are not found. */
    roots: readonly { readonly path: string }[];
    hosts: RootHosts;
    disk: Pick<Disk, 'find'>;
    /** Opens a regular file. Returns null if there is no such file, or if it is a link. */
    openPath: (path: string) => Promise<OpenedFile | null>;
  }) {
    this.#isOn = parts.isOn;
    this.#files = parts.files;
    this.#records = parts.records;
    this.#roots = parts.roots;
    this.#hosts = parts.hosts;
    this.#disk = parts.disk;
    this.#openPath = parts.openPath;
  }

  /** True if users may download files of the library. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /**
   * Opens a file with the bytes that are on the disk now. The caller must stream or close the file.
   * Throws `library downloads are off`, `not found`, a conflict that names the host that has the
   * file, or `busy` if the disk cannot be read.
   */
  async open(id: number): Promise<OpenedLibraryFile> {
    if (!this.#isOn) throw libraryDownloadsOff();
    const place = await this.#files.findPlace(id);
    if (place === null) throw notFound();
    const { root, path } = place;
    const owner = (await this.#hosts.list()).find((each) => each.path === root.path);
    if (owner && !owner.isOwn) throw fileOnOtherHost(owner.host);
    // After an operator has removed a root, its files cannot be downloaded any more.
    if (!this.#roots.some((each) => each.path === root.path)) throw notFound();
    const file = await this.#openBelow(root.path, path);
    if (file === null) throw notFound();
    return { file, system: root.system };
  }

  /** Records the start of a download. */
  recordDownload({ file, system }: OpenedLibraryFile, userId: number): void {
    this.#records.recordLibraryDownload({ userId, system, name: file.name, bytes: file.size });
  }

  /** Opens a file that a scan would find. Returns null if a scan would not find the file. */
  async #openBelow(root: string, path: string): Promise<OpenedFile | null> {
    try {
      const found = await this.#disk.find(root, path);
      const file = found && (await this.#openPath(path));
      // Another file may have taken the path after the check of its folders.
      if (file === null || file.inode === found?.inode) return file;
      await file.close();
      return null;
    } catch (error) {
      if (error instanceof DiskFailure) throw busy(error);
      throw error;
    }
  }
}
