import type { Clock } from '../../shared/clock.ts';
import { CatalogError } from '../../shared/errors.ts';
import type { Leases } from '../../shared/processes/leases.ts';
import type { LibraryRoot } from '../library-file.ts';
import type { AutomaticChecks, ScanJobs } from '../ports.ts';
import { GrowingFiles, minUnchangedMs } from './growing-files.ts';
import type { LibraryChanges } from './library-changes.ts';
import type { LibraryScanner } from './scanner.ts';

/**
 * Maximum number of changed files that are identified while a scan job runs. More files wait until
 * that scan ends, because it may be identifying the same files.
 */
const fewChanges = 500;

/** Time between two checks of whether a walk is due, in milliseconds. */
const checkIntervalMs = 10_000;

/**
 * Time to wait after an import before a walk, in milliseconds, because another import may follow.
 */
const quietMs = 10_000;

/** Longest pause before a failed scan is repeated, in milliseconds. */
const longestPauseMs = 24 * 60 * 60_000;

/**
 * Finds new and changed files of the library without a user. Walks the roots regularly, without
 * opening a file, and starts a scan only if something changed. If several processes of a host have
 * the same roots, only one of them walks.
 */
export class AutomaticScans {
  readonly #scanner: Pick<LibraryScanner, 'findChanges' | 'scan'>;
  readonly #roots: () => Promise<LibraryRoot[]>;
  readonly #everyMs: number;
  readonly #checks: AutomaticChecks;
  readonly #leases: Pick<Leases, 'tryRun'>;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #jobs: ScanJobs;
  readonly #onFailure: (error: unknown) => void;
  readonly #growing = new GrowingFiles();
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> = Promise.resolve();
  /** The time of the last check by this or another process of this host; null if unknown. */
  #checkedAt: number | null = null;
  /**
   * The changes for which the last scan was started. The same changes do not start another scan,
   * because a file that no scan can read remains changed.
   */
  #startedFor = { digest: '', rematches: '' };
  /**
   * The id of the last scan's job. Null if no scan was started, or if it failed and is to be
   * repeated.
   */
  #job: number | null = null;
  /** How often a scan of the same changes was repeated because it failed. */
  #repeats = 0;
  /**
   * True if a scan is needed without new changes: to hash files that were identified while another
   * scan ran, or because the last scan failed.
   */
  #needsScan = false;
  #hasFailed = false;

  constructor(parts: {
    scanner: Pick<LibraryScanner, 'findChanges' | 'scan'>;
    /** Returns the roots to walk. */
    roots: () => Promise<LibraryRoot[]>;
    /** Time between two walks, in milliseconds; 0 for no walks. */
    everyMs: number;
    checks: AutomaticChecks;
    leases: Pick<Leases, 'tryRun'>;
    /** A name for this host and its roots. Only one process with this name walks at a time. */
    name: string;
    clock: Clock;
    jobs: ScanJobs;
    /** Called with the error of a check. If checks fail repeatedly, this is called once. */
    onFailure: (error: unknown) => void;
  }) {
    this.#scanner = parts.scanner;
    this.#roots = parts.roots;
    this.#everyMs = parts.everyMs;
    this.#checks = parts.checks;
    this.#leases = parts.leases;
    this.#name = parts.name;
    this.#clock = parts.clock;
    this.#jobs = parts.jobs;
    this.#onFailure = parts.onFailure;
  }

  /** Walks whenever a walk is due, until `close` is called. Checks for the first time at once. */
  begin(): void {
    if (this.#everyMs === 0) return;
    this.#timer = setInterval(() => void this.check(), checkIntervalMs).unref();
    void this.check();
  }

  /** Walks if a walk is due, and starts a scan if something changed; never rejects. */
  check(): Promise<void> {
    this.#checking = this.#checking
      .then(() => this.#checkIfDue())
      .then(() => {
        this.#hasFailed = false;
      })
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted && !this.#hasFailed) this.#onFailure(error);
        this.#hasFailed = true;
      });
    return this.#checking;
  }

  /** Aborts a running walk and waits until it has ended. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort(new Error('the server stops'));
    await this.#checking;
  }

  async #checkIfDue(): Promise<void> {
    if (this.#stop.signal.aborted || !(await this.#isDue(this.#checkedAt))) return;
    await this.#leases.tryRun(`automatic scans ${this.#name}`, async () => {
      this.#checkedAt = await this.#checks.lastAt();
      if (!(await this.#isDue(this.#checkedAt))) return;
      const now = this.#clock.now();
      this.#checkedAt = now;
      await this.#checks.record(now);
      await this.#walk(now);
    });
  }

  /**
   * Returns true if a walk is due. While a file is still changing, walks are due more often, so
   * that the file waits less. After an import, a walk is due soon, because the import may list
   * known files.
   */
  async #isDue(checkedAt: number | null): Promise<boolean> {
    if (checkedAt === null) return true;
    const passed = Math.abs(this.#clock.now() - checkedAt);
    if (passed < minUnchangedMs) return false;
    const soonMs = Math.max(minUnchangedMs, this.#everyMs / 5);
    if (passed >= (this.#growing.count > 0 ? soonMs : this.#everyMs)) return true;
    // Consecutive imports, or a wrong clock, cause only one walk.
    const endedAt = await this.#jobs.importEndedAt();
    return endedAt !== null && endedAt >= checkedAt && this.#clock.now() - endedAt >= quietMs;
  }

  async #walk(now: number): Promise<void> {
    this.#growing.beginWalk();
    const { signal } = this.#stop;
    const isComplete = (file: Parameters<GrowingFiles['isComplete']>[0]) =>
      this.#growing.isComplete(file, now);
    const roots = await this.#roots();
    const changes = await this.#scanner.findChanges({ roots, isComplete, signal });
    const hasNewFiles = changes.count > 0 && changes.digest !== this.#startedFor.digest;
    const isNew = hasNewFiles || (await this.#isToBeRematched(changes));
    if (await this.#isRepeatDue(now)) this.#needsScan = true;
    if (!isNew && !this.#needsScan) return;
    try {
      this.#job = await this.#jobs.start();
      this.#startedFor = changes;
      this.#needsScan = false;
      if (isNew) this.#repeats = 0;
    } catch (error) {
      if (!(error instanceof CatalogError && error.kind === 'conflict')) throw error;
      this.#needsScan = true;
      const isQuick =
        changes.count <= fewChanges && changes.outdated === 0 && changes.rematches === '';
      if (hasNewFiles && isQuick) await this.#identify(roots, isComplete);
    }
  }

  /**
   * Returns true if known files have to be matched again because the catalogue changed. Returns
   * false during an import, because each of its DATs changes the catalogue.
   */
  async #isToBeRematched({ rematches }: LibraryChanges): Promise<boolean> {
    if (rematches === '' || rematches === this.#startedFor.rematches) return false;
    return !(await this.#jobs.isImporting());
  }

  /**
   * Returns true if the last scan failed and the pause before it is repeated is over. The first
   * repetition has no pause. Each further one has a longer pause.
   */
  async #isRepeatDue(now: number): Promise<boolean> {
    const failedAt = this.#job === null ? null : await this.#jobs.failedAt(this.#job);
    if (failedAt === null) return false;
    const pauseMs = Math.min(this.#everyMs * (2 ** this.#repeats - 1), longestPauseMs);
    if (Math.abs(now - failedAt) < pauseMs) return false;
    this.#job = null;
    this.#repeats += 1;
    return true;
  }

  /** Identifies new files in this process, because a running scan may still hash for hours. */
  async #identify(
    roots: readonly LibraryRoot[],
    isComplete: NonNullable<Parameters<LibraryScanner['scan']>[0]['isComplete']>,
  ): Promise<void> {
    await this.#scanner.scan({
      roots,
      isComplete,
      // An import may have ended since the walk. The next scan then matches all files.
      keepsMatches: true,
      hash: false,
      full: false,
      forget: false,
      jobs: 1,
      retriesWhenBusy: false,
      signal: this.#stop.signal,
      onProgress: () => undefined,
    });
  }
}
