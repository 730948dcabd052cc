import type { Clock } from '../shared/clock.ts';
import type { FileArea } from '../shared/file-area.ts';
import { FolderVersion } from '../shared/folder-version.ts';
import { parseCoverName } from './cover-files.ts';

/**
 * The releases that have a file named like a cover. Only names are read, once per version of the
 * folder, because listing many names is slow.
 */
export class CoveredReleases {
  readonly #area: Pick<FileArea, 'names' | 'version'>;
  readonly #folder: FolderVersion;
  #known: { readonly version: string | null; readonly ids: ReadonlySet<number> } | undefined;

  constructor(parts: { area: Pick<FileArea, 'names' | 'version'>; clock: Clock }) {
    this.#area = parts.area;
    this.#folder = new FolderVersion(parts);
  }

  /** Returns their ids; the same set as before while the folder is unchanged. */
  async releasesWithCover(): Promise<ReadonlySet<number>> {
    const { version, isSettled } = await this.#folder.look();
    if (this.#known !== undefined && this.#known.version === version) return this.#known.ids;
    const ids = new Set<number>();
    for await (const name of this.#area.names()) {
      const cover = parseCoverName(name);
      if (cover !== null) ids.add(cover.releaseId);
    }
    this.#known = isSettled ? { version, ids } : undefined;
    return ids;
  }
}
