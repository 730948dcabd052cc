import { CatalogError } from '../shared/errors.ts';
import { oneChunk } from '../shared/files/one-chunk.ts';
import type { Actor } from '../shared/requests/actor.ts';
import type { CoverProgress } from './cover-progress.ts';
import type { Covers } from './covers.ts';
import type { CoverSearchRecords, ReadDiscArt } from './ports.ts';

export interface CoverExtractReport {
  /** Number of disc images that were read. Only images of releases without a cover are read. */
  readonly images: number;
  readonly stored: number;
  /** Number of disc images without a usable picture, which is a PNG of at most 10 MiB. */
  readonly without: number;
  /** Number of disc images that were not read because a user removed the cover of the release. */
  readonly removed: number;
  readonly unreadable: readonly { path: string; reason: string }[];
}

export interface CoverExtractOptions {
  /** Paths of the library roots. */
  readonly roots: readonly string[];
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CoverProgress) => void;
}

/**
 * Reads the pictures inside PSP and UMD Video images. Stores a picture as the cover of its release
 * if the release has no cover.
 */
export class CoverExtractor {
  readonly #covers: Covers;
  readonly #records: CoverSearchRecords;
  readonly #readDiscArt: ReadDiscArt;

  constructor(parts: { covers: Covers; records: CoverSearchRecords; readDiscArt: ReadDiscArt }) {
    this.#covers = parts.covers;
    this.#records = parts.records;
    this.#readDiscArt = parts.readDiscArt;
  }

  /**
   * Extracts the covers. Throws the signal's reason when aborted; covers that were already stored
   * remain.
   */
  async run(options: CoverExtractOptions, actor: Actor): Promise<CoverExtractReport> {
    const covered = new Set(await this.#covers.releasesWithCover());
    const all = await this.#records.discImages(options.roots);
    const images = all.filter((image) => !covered.has(image.releaseId));
    const unreadable: { path: string; reason: string }[] = [];
    const sums = { images: 0, stored: 0, without: 0, removed: 0 };
    for (const [at, { releaseId, path }] of images.entries()) {
      options.signal.throwIfAborted();
      options.onProgress({ done: at, total: images.length, name: path });
      if (covered.has(releaseId)) continue; // an earlier file of the release provided the cover
      if (await this.#covers.wasRemoved(releaseId)) {
        sums.removed += 1;
        continue;
      }
      sums.images += 1;
      const art = await this.#readDiscArt(path).catch((error: unknown) => {
        unreadable.push({ path, reason: reasonOf(error) });
        return undefined;
      });
      // null: the image has no picture; undefined: it could not be read
      if (art === null) sums.without += 1;
      if (!art) continue;
      const staged = await this.#covers.stage(oneChunk(art.bytes));
      const origin = { kind: 'disc', from: `${path}: ${art.name}` } as const;
      if ((await this.#covers.put(releaseId, staged, actor, origin)) === 'stored') sums.stored += 1;
      covered.add(releaseId);
    }
    return { ...sums, unreadable };
  }
}

/**
 * Returns the message of a CatalogError, or of an error with a `code`, such as a system error.
 * Rethrows any other error, because it is a bug.
 */
function reasonOf(error: unknown): string {
  if (error instanceof CatalogError) return error.message;
  if (error instanceof Error && 'code' in error) return error.message;
  throw error;
}
