import type { Clock } from '../shared/clock.ts';
import type { FileArea } from '../shared/file-area.ts';
import { FolderVersion } from '../shared/folder-version.ts';
import { parseCoverName } from './cover-files.ts';
import { type ImageType, imageTypes } from './image-type.ts';

/** A folder as it was listed: the types that a release's files have. */
interface Listing {
  readonly version: string | null;
  readonly types: ReadonlyMap<number, readonly ImageType[]>;
}

/**
 * Which names covers have, so that nobody looks for files that are not there. The folder is listed behind, once after
 * each time that it changed, and nobody waits for it: 170,000 names take half a second.
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

  /** Looks whether the folder is still the one that was listed. */
  async check(): Promise<void> {
    const { version, isSettled } = await this.#folder.look();
    if (isSettled && this.#listing?.version !== version) {
      this.#running ??= this.#list(version).finally(() => {
        this.#running = null;
      });
    }
  }

  /** The types that the release's files may have, as of the last check; all of them while there is no list. */
  typesOf(releaseId: number): readonly ImageType[] {
    if (this.#listing === null || this.#listing.version !== this.#folder.known) return imageTypes;
    return this.#listing.types.get(releaseId) ?? [];
  }

  /** Resolves when no listing runs any more. */
  async close(): Promise<void> {
    await this.#running;
  }

  async #list(version: string | null): Promise<void> {
    const types = new Map<number, readonly ImageType[]>();
    try {
      for await (const name of this.#area.names()) {
        const cover = parseCoverName(name);
        if (cover === null) continue;
        const others = types.get(cover.releaseId);
        types.set(cover.releaseId, others ? [...others, cover.type] : alone[cover.type]);
      }
      this.#listing = { version, types };
    } catch {
      // Who asks for a cover of a folder that cannot be read is told.
    }
  }
}

const alone: Readonly<Record<ImageType, readonly ImageType[]>> = {
  png: ['png'],
  jpg: ['jpg'],
  webp: ['webp'],
};
