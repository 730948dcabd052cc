import type { Clock } from '../shared/clock.ts';
import type { FileArea } from '../shared/files/file-area.ts';
import { FolderVersion } from '../shared/files/folder-version.ts';
import { parseCoverName } from './cover-files.ts';
import { type ImageType, imageTypes } from './image-type.ts';

/** The content of the folder: the image types of each release's cover files. */
interface Listing {
  readonly version: string | null;
  readonly types: ReadonlyMap<number, readonly ImageType[]>;
}

/**
 * Caches the names of all cover files, so that lookups can skip files that do not exist. Listing
 * many names is slow, so the folder is listed in the background, once after each change.
 */
export class CoverNames {
  readonly #area: FileArea;
  readonly #folder: FolderVersion;
  #listing: Listing | null = null;
  #running: Promise<void> | null = null;

  constructor(parts: { area: FileArea; clock: Clock }) {
    this.#area = parts.area;
    this.#folder = new FolderVersion(parts);
  }

  /** Checks whether the folder has changed. If so, starts listing it in the background. */
  async check(): Promise<void> {
    const { version, isSettled } = await this.#folder.check();
    if (isSettled && this.#listing?.version !== version) {
      this.#running ??= this.#list(version).finally(() => {
        this.#running = null;
      });
    }
  }

  /** True if there is a listing of the folder's present version. */
  get isListed(): boolean {
    return this.#listing !== null && this.#listing.version === this.#folder.lastVersion;
  }

  /**
   * Returns the image types of the release's cover files, according to the last listing. Returns
   * all types if there is no listing of the folder's present version.
   */
  typesOf(releaseId: number): readonly ImageType[] {
    return this.isListed ? (this.#listing?.types.get(releaseId) ?? []) : imageTypes;
  }

  /** Lists the folder now. Returns the image types of the cover files by release id. */
  async list(): Promise<ReadonlyMap<number, readonly ImageType[]>> {
    const types = new Map<number, readonly ImageType[]>();
    for await (const name of this.#area.names()) {
      const cover = parseCoverName(name);
      if (cover === null) continue;
      const others = types.get(cover.releaseId);
      types.set(cover.releaseId, others ? [...others, cover.type] : alone[cover.type]);
    }
    return types;
  }

  /** Resolves when no listing is in progress. */
  async close(): Promise<void> {
    await this.#running;
  }

  async #list(version: string | null): Promise<void> {
    try {
      this.#listing = { version, types: await this.list() };
    } catch {
      // Ignore the error: opening a cover reports that the folder is unreadable.
    }
  }
}

const alone: Readonly<Record<ImageType, readonly ImageType[]>> = {
  png: ['png'],
  jpg: ['jpg'],
  webp: ['webp'],
};
