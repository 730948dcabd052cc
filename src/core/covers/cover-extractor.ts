import type { Actor } from '../shared/actor.ts';
import { CatalogError } from '../shared/errors.ts';
import { oneChunk } from './cover-finder.ts';
import type { CoverProgress } from './cover-progress.ts';
import type { Covers } from './covers.ts';
import type { CoverSearchRecords, ReadDiscArt } from './ports.ts';

export interface CoverExtractReport {
  /** Number of images that were read: those of releases without a cover. */
  readonly images: number;
  readonly stored: number;
  /** Number of images without a picture. */
  readonly without: number;
  /** Number of images that were not read, because a user removed the release's cover. */
  readonly removed: number;
  readonly unreadable: readonly { path: string; reason: string }[];
}

export interface CoverExtractOptions {
  /** Paths of the library roots. */
  readonly roots: readonly string[];
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CoverProgress) => void;
}

/** Stores the picture inside PSP and UMD Video images as the cover of releases that have none. */
export class CoverExtractor {
  readonly #covers: Covers;
  readonly #records: CoverSearchRecords;
  readonly #readDiscArt: ReadDiscArt;

  constructor(parts: { covers: Covers; records: CoverSearchRecords; readDiscArt: ReadDiscArt }) {
    this.#covers = parts.covers;
    this.#records = parts.records;
    this.#readDiscArt = parts.readDiscArt;
  }

  /** Throws the signal's reason when aborted; covers stored until then are kept. */
  async run(options: CoverExtractOptions, actor: Actor): Promise<CoverExtractReport> {
    const covered = new Set(await this.#covers.releasesWithCover());
    const all = await this.#records.discImages(options.roots);
    const images = all.filter((image) => !covered.has(image.releaseId));
    const unreadable: { path: string; reason: string }[] = [];
    const sums = { images: 0, stored: 0, without: 0, removed: 0 };
    for (const [at, { releaseId, path }] of images.entries()) {
      options.signal.throwIfAborted();
      options.onProgress({ done: at, total: images.length, name: path });
      if (covered.has(releaseId)) continue; // another file of the release had one
      if (await this.#covers.wasRemoved(releaseId)) {
        sums.removed += 1;
        continue;
      }
      sums.images += 1;
      const art = await this.#readDiscArt(path).catch((error: unknown) => {
        unreadable.push({ path, reason: reasonOf(error) });
        return undefined;
      });
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
 * Returns the message of a system or image reader error; rethrows anything else, which is a bug.
 */
function reasonOf(error: unknown): string {
  if (error instanceof CatalogError) return error.message;
  if (error instanceof Error && 'code' in error) return error.message;
  throw error;
}
