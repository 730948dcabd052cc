import { busy, fileOnOtherHost, libraryDownloadsOff, notFound } from '../shared/errors.ts';
import type { OpenedFile } from '../shared/files/file-area.ts';
import { isPacked } from './container-kinds.ts';
import { DiskFailure } from './file-failures.ts';
import type { LibraryRoot, ScannedFile } from './library-file.ts';
import { packedNames, safeFileName } from './packed-names.ts';
import type {
  Disk,
  FileToPack,
  LibraryDownloadRecords,
  LibraryRecords,
  PackFiles,
  ScannedFiles,
} from './ports.ts';
import type { RootHosts } from './root-hosts.ts';
import type { ReleasePlace } from './shown-files.ts';

/** A library file that is open for a download. */
export interface OpenedLibraryFile {
  readonly file: OpenedFile;
  /** The system of the root that contains the file. */
  readonly system: string;
}

/** Opens library files and releases for downloads, and records the downloads. */
export class LibraryDownloads {
  readonly #isOn: boolean;
  readonly #files: Pick<LibraryRecords['files'], 'findPlace' | 'placesOfRelease'>;
  readonly #scanned: Pick<ScannedFiles, 'filesAt'>;
  readonly #records: LibraryDownloadRecords;
  readonly #roots: readonly { readonly path: string }[];
  readonly #hosts: RootHosts;
  readonly #disk: Pick<Disk, 'find'>;
  readonly #openPath: (path: string) => Promise<OpenedFile | null>;
  readonly #packFiles: PackFiles;

  constructor(parts: {
    /** False if the operator has turned off downloads from the library. */
    isOn: boolean;
    files: Pick<LibraryRecords['files'], 'findPlace' | 'placesOfRelease'>;
    scanned: Pick<ScannedFiles, 'filesAt'>;
    records: LibraryDownloadRecords;
    /** The roots of this server's settings. Files of other roots are not found. */
    roots: readonly { readonly path: string }[];
    hosts: RootHosts;
    disk: Pick<Disk, 'find'>;
    /** Opens a regular file. Returns null if there is no such file, or if it is a link. */
    openPath: (path: string) => Promise<OpenedFile | null>;
    packFiles: PackFiles;
  }) {
    this.#isOn = parts.isOn;
    this.#files = parts.files;
    this.#scanned = parts.scanned;
    this.#records = parts.records;
    this.#roots = parts.roots;
    this.#hosts = parts.hosts;
    this.#disk = parts.disk;
    this.#openPath = parts.openPath;
    this.#packFiles = parts.packFiles;
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

  /**
   * Opens all files of a release as one zip. Files with the same name and size count as copies, and
   * only one of them is taken. The caller must stream or close the zip. Throws the same errors as
   * `open`. Also throws `not found` if the library has no file of the release, or if one of its
   * files is gone.
   */
  async openRelease({ id, name }: { id: number; name: string }): Promise<OpenedLibraryFile> {
    if (!this.#isOn) throw libraryDownloadsOff();
    const places = await this.#reachable(await this.#files.placesOfRelease(id));
    const [first] = places;
    if (first === undefined) throw notFound();
    const recorded = await this.#recorded(places);
    const names = packedNames(places.map((place) => place.name));
    const files: FileToPack[] = [];
    for (const [index, { root, path }] of places.entries()) {
      const open = () => this.#openBelow(root.path, path);
      const file = await open();
      if (file === null) throw notFound();
      const { size, mtimeNs, etag } = file;
      await file.close();
      const crc32 = knownCrc32(recorded.get(path), { size, mtimeNs });
      files.push({ name: names[index] ?? '', size, mtimeNs, etag, crc32, open });
    }
    const file = this.#packFiles(`${safeFileName(name)}.zip`, files);
    return { file, system: first.root.system };
  }

  /** Records the start of a download. */
  recordDownload({ file, system }: OpenedLibraryFile, userId: number): void {
    this.#records.recordLibraryDownload({ userId, system, name: file.name, bytes: file.size });
  }

  /**
   * Returns the files that this server may open, without duplicates. Throws a conflict if only
   * another host has a copy of a file. The error names that host.
   */
  async #reachable(places: readonly ReleasePlace[]): Promise<ReleasePlace[]> {
    const others = new Map(
      (await this.#hosts.list()).flatMap(({ path, host, isOwn }) =>
        isOwn ? [] : [[path, host] as const],
      ),
    );
    const keyOf = ({ name, size }: ReleasePlace) => `${size} ${name}`;
    const own = new Map<string, ReleasePlace>();
    for (const place of places) {
      const { path } = place.root;
      const mayOpen = !others.has(path) && this.#roots.some((each) => each.path === path);
      if (mayOpen && !own.has(keyOf(place))) own.set(keyOf(place), place);
    }
    for (const place of places) {
      const host = others.get(place.root.path);
      if (host !== undefined && !own.has(keyOf(place))) throw fileOnOtherHost(host);
    }
    return [...own.values()];
  }

  /** Returns the records of files, by path. */
  async #recorded(places: readonly ReleasePlace[]): Promise<Map<string, ScannedFile>> {
    const byRoot = new Map<string, { root: LibraryRoot; paths: string[] }>();
    for (const { root, path } of places) {
      const known = byRoot.get(root.path);
      if (known === undefined) byRoot.set(root.path, { root, paths: [path] });
      else known.paths.push(path);
    }
    const files = new Map<string, ScannedFile>();
    for (const { root, paths } of byRoot.values()) {
      for (const file of await this.#scanned.filesAt(root, paths)) files.set(file.path, file);
    }
    return files;
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

/**
 * Returns the CRC-32 of a file's own bytes, as a number. Returns null if it is not recorded for
 * this version of the file.
 */
function knownCrc32(
  file: ScannedFile | undefined,
  { size, mtimeNs }: Pick<OpenedFile, 'size' | 'mtimeNs'>,
): number | null {
  const { hashes } = file ?? {};
  if (file === undefined || !hashes || file.size !== size || file.mtimeNs !== mtimeNs) return null;
  return isPacked(file) || hashes.size !== size ? null : Number.parseInt(hashes.crc32, 16);
}
