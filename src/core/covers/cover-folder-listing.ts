import type { Clock } from '../shared/clock.ts';
import type { FileArea } from '../shared/files/file-area.ts';
import { FolderVersion } from '../shared/files/folder-version.ts';
import { parseCoverFileName } from './cover-files.ts';
import { type ImageType, imageTypes } from './image-type.ts';

/** The content of the folder at one version: the image types of each release's cover files. */
interface FolderSnapshot {
  readonly version: string | null;
  readonly types: ReadonlyMap<number, readonly ImageType[]>;
}

/**
 * Caches the image types of all covers by release, so that lookups can skip files that do not
 * exist. Listing many names is slow, so the folder is listed in the background, once after each
 * change.
 */
export class CoverFolderListing {
  readonly #area: FileArea;
  readonly #folder: FolderVersion;
  #snapshot: FolderSnapshot | null = null;
  #running: Promise<void> | null = null;

  constructor(parts: { area: FileArea; clock: Clock }) {
    this.#area = parts.area;
    this.#folder = new FolderVersion(parts);
  }

  /** Checks whether the folder has changed. If so, starts listing it in the background. */
  async refreshInBackground(): Promise<void> {
    const { version, isStable } = await this.#folder.check();
    if (isStable && this.#snapshot?.version !== version) {
      this.#running ??= this.#refresh(version).finally(() => {
        this.#running = null;
      });
    }
  }

  /** True if there is a listing of the folder's present version. */
  get isCurrent(): boolean {
    return this.#snapshot !== null && this.#snapshot.version === this.#folder.lastVersion;
  }

  /**
   * Returns the image types of the release's cover files, according to the last listing. Returns
   * all types if there is no listing of the folder's present version.
   */
  typesOf(releaseId: number): readonly ImageType[] {
    return this.isCurrent ? (this.#snapshot?.types.get(releaseId) ?? []) : imageTypes;
  }

  /** Lists the folder now. Returns the image types of the cover files by release id. */
  async readTypes(): Promise<ReadonlyMap<number, readonly ImageType[]>> {
    const types = new Map<number, readonly ImageType[]>();
    for await (const name of this.#area.names()) {
      const cover = parseCoverFileName(name);
      if (cover === null) continue;
      const others = types.get(cover.releaseId);
      types.set(cover.releaseId, others ? [...others, cover.type] : typesOfSingle[cover.type]);
    }
    return types;
  }

  /** Resolves when no listing is in progress. */
  async close(): Promise<void> {
    await this.#running;
  }

  async #refresh(version: string | null): Promise<void> {
    try {
      this.#snapshot = { version, types: await this.readTypes() };
    } catch {
      // Ignore the error: opening a cover reports that the folder is unreadable.
    }
  }
}

const typesOfSingle: Readonly<Record<ImageType, readonly ImageType[]>> = {
  png: ['png'],
  jpg: ['jpg'],
  webp: ['webp'],
};
