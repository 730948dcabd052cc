import { createHash } from 'node:crypto';
import { askedByNobody } from '../shared/asker.ts';
import type { Clock } from '../shared/clock.ts';
import type { Leases } from '../shared/leases.ts';
import { presentRevision } from '../shared/part-revision.ts';
import { within } from '../shared/within.ts';
import type { LibraryItem, LibraryRoot, ReleaseFile } from './library-file.ts';
import { isBelow } from './nested-roots.ts';
import type { LibraryList, LibraryRefreshes, ScannedFiles } from './ports.ts';
import { type RootHosts, withoutOthers } from './root-hosts.ts';
import type { ScanReport } from './scan-report.ts';
import type { LibraryScanner } from './scanner.ts';

/** Time, in milliseconds, for which the list is cached (minimal-api.md, Limits). */
const cacheMs = 60_000;
/**
 * Maximum time, in milliseconds, that a client waits for the list when the database does not
 * respond. The list is still built in the background.
 */
const answerMs = 4_500;

interface CachedList {
  readonly at: number;
  readonly version: string;
  /** Number of completed refreshes when the build of the list began. */
  readonly refreshes: number;
  readonly items: readonly LibraryItem[];
}

/**
 * The library as the APIs show it: a list that is built at most once a minute, and the files of a
 * release. On each host, only one process at a time refreshes the library. All processes that share
 * the database show the result.
 */
export class Library {
  readonly #list: LibraryList;
  readonly #scanned: Pick<ScannedFiles, 'roots' | 'wasScanned'>;
  readonly #scanner: LibraryScanner;
  readonly #roots: readonly LibraryRoot[];
  readonly #hosts: RootHosts;
  readonly #host: string;
  readonly #leases: Leases;
  readonly #refreshes: LibraryRefreshes;
  readonly #clock: Clock;
  readonly #onReport: (report: ScanReport) => void;
  #cached: CachedList | null = null;
  #building: Promise<readonly LibraryItem[]> | null = null;
  #refreshing: Promise<readonly LibraryItem[]> | null = null;
  readonly #stop = new AbortController();

  constructor(parts: {
    list: LibraryList;
    scanned: Pick<ScannedFiles, 'roots' | 'wasScanned'>;
    scanner: LibraryScanner;
    roots: readonly LibraryRoot[];
    hosts: RootHosts;
    /** The name of this host if several hosts share the database; else "". */
    host: string;
    leases: Leases;
    refreshes: LibraryRefreshes;
    clock: Clock;
    /** Called after each refresh, for the log. */
    onReport: (report: ScanReport) => void;
  }) {
    this.#list = parts.list;
    this.#scanned = parts.scanned;
    this.#scanner = parts.scanner;
    this.#roots = parts.roots;
    this.#hosts = parts.hosts;
    this.#host = parts.host;
    this.#leases = parts.leases;
    this.#refreshes = parts.refreshes;
    this.#clock = parts.clock;
    this.#onReport = parts.onReport;
  }

  /**
   * Returns the items, unique by name and size, ordered by name (code point). With `refresh`, the
   * roots are walked first, without hashing. Requests for a refresh while one is running share its
   * result.
   */
  async list(options: { refresh: boolean }): Promise<readonly LibraryItem[]> {
    if (options.refresh) return this.#refresh();
    const refreshes = await presentRevision(this.#refreshes);
    const cached = this.#cached;
    const isFresh = cached?.refreshes === refreshes && this.#age(cached) <= cacheMs;
    return isFresh ? cached.items : within(this.#build(), answerMs);
  }

  /**
   * Returns the folders to scan. These are the configured roots, and roots that this host scanned
   * earlier and that are not below a configured root.
   */
  async allRoots(): Promise<LibraryRoot[]> {
    const isNamed = ({ path }: LibraryRoot) =>
      this.#roots.some((named) => named.path === path || isBelow(named.path, path));
    const before = await this.withoutOthers(await this.#scanned.roots());
    return [...this.#roots, ...before.filter((root) => !isNamed(root))];
  }

  /**
   * Returns the given folders without those of other hosts. This host may open files only below the
   * returned folders.
   */
  withoutOthers(roots: readonly LibraryRoot[]): Promise<LibraryRoot[]> {
    return withoutOthers(this.#hosts, roots);
  }

  /**
   * Whether only other hosts have library roots. In this case only those hosts can work on the
   * files.
   */
  async isOnOthers(): Promise<boolean> {
    const held = await this.#hosts.list();
    return held.length > 0 && held.every(({ isOwn }) => !isOwn);
  }

  /** Returns all files matched with a release, ordered by name, then path. */
  ofRelease(releaseId: number): Promise<ReleaseFile[]> {
    return this.#list.ofRelease(releaseId);
  }

  /**
   * Starts a first pass if a root was never scanned. Otherwise builds the list in advance, and the
   * first request uses that list unless something has changed. No request waits for this call.
   */
  async startFirstPass(): Promise<void> {
    const wereScanned = await Promise.all(
      this.#roots.map((root) => this.#scanned.wasScanned(root)),
    );
    if (wereScanned.every((wasScanned) => wasScanned)) await this.#build(Number.NEGATIVE_INFINITY);
    else await this.#refresh();
  }

  /** Stops a running refresh and waits until it has ended. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('the server stops'));
    await this.#refreshing?.catch(() => undefined);
  }

  #age({ at }: CachedList): number {
    return this.#clock.monotonic() - at;
  }

  /** Builds the current list. `at` is the time from which the age of the cached list is counted. */
  #build(at = this.#clock.monotonic()): Promise<readonly LibraryItem[]> {
    this.#building ??= askedByNobody(() => this.#itemsOfNow(at)).finally(() => {
      this.#building = null;
    });
    return this.#building;
  }

  async #itemsOfNow(at: number): Promise<readonly LibraryItem[]> {
    // Read the versions before the items. If something changes during the build, the version is
    // then too old, so the next call builds the list again.
    const refreshes = await this.#refreshes.current();
    const version = await this.#list.version();
    const cached = this.#cached;
    const items = cached?.version === version ? cached.items : await this.#items();
    this.#cached = { at, version, refreshes, items };
    return items;
  }

  /**
   * Returns the files below the roots. Includes files that were recorded under a root inside or
   * around one of these roots.
   */
  async #items(): Promise<LibraryItem[]> {
    const isRelated = ({ path }: LibraryRoot) =>
      this.#roots.some((root) => isBelow(root.path, path) || isBelow(path, root.path));
    const known = await this.withoutOthers(await this.#scanned.roots());
    return this.#list.items(this.#roots, known.filter(isRelated));
  }

  #refresh(): Promise<readonly LibraryItem[]> {
    this.#refreshing ??= askedByNobody(() => this.#scanAndBuild()).finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #scanAndBuild(): Promise<readonly LibraryItem[]> {
    const name = `library ${digestOf(this.#roots, this.#host)}`;
    const own = await this.#leases.tryHold(name, () => this.#scan());
    // `own` is null if another process is refreshing the library. Wait for that refresh, because
    // its result is just as current.
    if (own === null) await this.#leases.untilFree(name, this.#stop.signal);
    // A build that is already running may have begun before the scan ended and may lack results.
    // Wait for it, then build again.
    await this.#building;
    return this.#build();
  }

  async #scan(): Promise<void> {
    const report = await this.#scanner.scan({
      roots: this.#roots,
      hash: false,
      full: false,
      forget: false,
      jobs: 1,
      retriesWhenBusy: false,
      signal: this.#stop.signal,
      onProgress: () => undefined,
    });
    this.#onReport(report);
    await this.#refreshes.note();
  }
}

/**
 * Returns a digest of the host and its roots. The same roots in the same order give the same
 * digest.
 */
function digestOf(roots: readonly LibraryRoot[], host: string): string {
  const named = [
    ...(host === '' ? [] : [host]),
    ...roots.map(({ system, path }) => [system, path]),
  ];
  return createHash('sha256').update(JSON.stringify(named)).digest('hex');
}
