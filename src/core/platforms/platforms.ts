import type { Clock } from '../shared/clock.ts';
import { SharedRuns } from '../shared/concurrency/shared-runs.ts';
import { notFound } from '../shared/errors.ts';
import { missingCsv, missingDat } from '../shared/missing-list.ts';
import type { CoveredReleases, MissingReleases, PlatformCount, PlatformRecords } from './ports.ts';

/** A platform as the list shows it; `covers` is the number of its releases with a cover. */
export type ShownPlatform = PlatformCount & { readonly covers: number };

/**
 * Lists the platforms with their counts of releases and library files, and their missing releases.
 */
export class Platforms {
  readonly #records: PlatformRecords;
  readonly #releases: MissingReleases;
  readonly #covers: CoveredReleases;
  readonly #clock: Clock;
  readonly #counting = new SharedRuns<readonly ShownPlatform[]>();
  /** The last calculated list, with the counts and covers from which it was calculated. */
  #known: { counts: unknown; covered: unknown; shown: readonly ShownPlatform[] } | undefined;

  constructor(parts: {
    records: PlatformRecords;
    releases: MissingReleases;
    covers: CoveredReleases;
    clock: Clock;
  }) {
    this.#records = parts.records;
    this.#releases = parts.releases;
    this.#covers = parts.covers;
    this.#clock = parts.clock;
  }

  /** Returns the platforms that have releases, ordered by name (code point). */
  list(): Promise<readonly ShownPlatform[]> {
    return this.#counting.run('all', async () => {
      const [counts, covered] = await Promise.all([
        this.#records.counts(),
        this.#covers.releasesWithCover(),
      ]);
      const known = this.#known;
      if (known?.counts === counts && known.covered === covered) return known.shown;
      const covers = await this.#records.countReleases([...covered]);
      const shown = counts
        .filter(({ releases }) => releases > 0)
        .map((platform) => ({ ...platform, covers: covers.get(platform.id) ?? 0 }));
      this.#known = { counts, covered, shown };
      return shown;
    });
  }

  /**
   * Returns the missing releases of a platform as CSV, with the platform's name. Throws
   * `not found`.
   */
  async missingCsv(id: number): Promise<{ platform: string; text: AsyncIterable<string> }> {
    const platform = await this.#nameOf(id);
    return { platform, text: missingCsv(this.#releases.streamMissing({ platform })) };
  }

  /**
   * Returns the missing releases of a platform as a DAT, with the platform's name. Throws
   * `not found`.
   */
  async missingDat(id: number): Promise<{ platform: string; text: AsyncIterable<string> }> {
    const platform = await this.#nameOf(id);
    const day = this.#clock.timestamp().slice(0, 10);
    return {
      platform,
      text: missingDat(this.#releases.streamMissing({ platform }), { name: platform, day }),
    };
  }

  async #nameOf(id: number): Promise<string> {
    const platform = await this.#records.find(id);
    if (platform === null) throw notFound();
    return platform.name;
  }
}
