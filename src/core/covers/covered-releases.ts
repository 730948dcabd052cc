import type { Clock } from '../shared/clock.ts';
import type { FileArea } from '../shared/files/file-area.ts';
import { FolderVersion } from '../shared/files/folder-version.ts';
import { parseCoverFileName } from './cover-files.ts';

/**
 * Finds the releases that have a cover, by file names alone. Listing many names is slow, so the
 * folder is listed only once for each version.
 */
export class CoveredReleases {
  readonly #area: Pick<FileArea, 'names' | 'version'>;
  readonly #folder: FolderVersion;
  #known: { readonly version: string | null; readonly ids: ReadonlySet<number> } | undefined;

  constructor(parts: { area: Pick<FileArea, 'names' | 'version'>; clock: Clock }) {
    this.#area = parts.area;
    this.#folder = new FolderVersion(parts);
  }

  /**
   * Returns the ids of the releases that have a cover. Returns the same set object while the folder
   * is unchanged.
   */
  async releasesWithCover(): Promise<ReadonlySet<number>> {
    const { version, isStable } = await this.#folder.check();
    if (this.#known !== undefined && this.#known.version === version) return this.#known.ids;
    const ids = new Set<number>();
    for await (const name of this.#area.names()) {
      const cover = parseCoverFileName(name);
      if (cover !== null) ids.add(cover.releaseId);
    }
    this.#known = isStable ? { version, ids } : undefined;
    return ids;
  }
}
