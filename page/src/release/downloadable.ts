import { checkLibraryDownload, libraryFileUrl } from '../api/library.ts';
import type { Archive, LibraryFile, Ownership } from '../api/model.ts';
import { archiveUrl, checkReleaseZip, releaseZipUrl } from '../api/releases.ts';
import { checkDownload } from '../api/store.ts';

/** A file that a user can download for a release. */
export interface Downloadable {
  readonly url: string;
  readonly name: string;
  /** Size of the file, in bytes. */
  readonly size: number;
  readonly origin: 'library' | 'archive' | 'all';
  /** Resolves if the server allows the download. Throws the same errors as a request. */
  check(): Promise<void>;
}

/** Returns the files to offer for a release: first the files of the library, then the archives. */
export function downloadablesOf(
  library: readonly LibraryFile[],
  archives: readonly Archive[],
): readonly Downloadable[] {
  return [
    ...library.map(({ id, name, size }) => ({
      url: libraryFileUrl(id),
      name,
      size,
      origin: 'library' as const,
      check: () => checkLibraryDownload(id),
    })),
    ...archives.map((archive) => ({
      url: archiveUrl(archive),
      name: archive.name,
      size: archive.size,
      origin: 'archive' as const,
      check: () => checkDownload(archive),
    })),
  ];
}

/**
 * Returns the downloads that the main button of a release offers. Several library files are offered
 * as one zip. Archives are offered one by one.
 */
export function mainDownloadsOf(
  release: { readonly id: number; readonly name: string },
  files: readonly Downloadable[],
): readonly Downloadable[] {
  const library = files.filter(({ origin }) => origin === 'library');
  if (library.length < 2) return files;
  const zip: Downloadable = {
    url: releaseZipUrl(release.id),
    name: release.name,
    size: library.reduce((sum, { size }) => sum + size, 0),
    origin: 'all',
    check: () => checkReleaseZip(release.id),
  };
  return [zip, ...files.filter(({ origin }) => origin !== 'library')];
}

/**
 * Downloads a file. First checks whether the server allows the download, because the browser would
 * save an error response as the file.
 */
export async function download({ url, check }: Downloadable): Promise<void> {
  await check();
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

/**
 * Returns the strongest evidence that the user owns a release with these files and archives.
 * Returns null if there is no evidence.
 */
export function ownershipOf(
  files: readonly LibraryFile[],
  archives: readonly Archive[],
): Ownership | null {
  const methods = new Set(files.map(({ method }) => method));
  if (['sha1', 'md5', 'crc32'].some((hash) => methods.has(hash as LibraryFile['method']))) {
    return 'verified';
  }
  const method = (['manual', 'serial', 'name'] as const).find((each) => methods.has(each));
  return method ?? (archives.length > 0 ? 'stored' : null);
}
