import type { Clock } from '../shared/clock.ts';
import { withTimeout } from '../shared/concurrency/with-timeout.ts';
import type { Leases } from '../shared/processes/leases.ts';
import { withoutClient } from '../shared/requests/client-context.ts';
import { presentRevision } from '../shared/requests/part-revision.ts';
import type { LibraryItem, LibraryRoot, ReleaseFile } from './library-file.ts';
import type { LibraryList, LibraryRefreshes, ScannedFiles } from './ports.ts';
import { type RootHosts, withoutOtherHosts } from './root-hosts.ts';
import { digestOf } from './roots-digest.ts';
import { isBelow } from './scan/nested-roots.ts';
import type { ScanReport } from './scan/scan-report.ts';
import type { LibraryScanner } from './scan/scanner.ts';

/** Time in milliseconds for which the list is cached (minimal-api.md, Limits). */
const cacheMs = 60_000;
/**
 * Maximum time in milliseconds that a client waits for the list if the database does not respond.
 * The list is still built in the background.
 */
const maxWaitMs = 4_500;

interface CachedList {
  readonly at: number;
  readonly version: string;
  /** Number of refreshes that were completed when the build of the list began. */
  readonly refreshes: number;
  readonly items: readonly LibraryItem[];
}

/**
 * The library as the APIs show it: a list of all files, and the files of a release. The list is
 * cached for up to a minute. On each host, only one process at a time refreshes the library. All
 * processes that share the database show the result.
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
    /** The name of this host if several hosts share the database; "" otherwise. */
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
   * roots are walked first, without hashing. Concurrent refresh requests share one refresh and its
   * result.
   */
  async list(options: { refresh: boolean }): Promise<readonly LibraryItem[]> {
    if (options.refresh) return this.#refresh();
    const refreshes = await presentRevision(this.#refreshes);
    const cached = this.#cached;
    const isFresh = cached?.refreshes === refreshes && this.#age(cached) <= cacheMs;
    return isFresh ? cached.items : withTimeout(this.#build(), maxWaitMs);
  }

  /**
   * Returns the roots to scan: the configured roots, and other roots that this host scanned
   * earlier. An earlier root below a configured root is left out.
   */
  async allRoots(): Promise<LibraryRoot[]> {
    const isNamed = ({ path }: LibraryRoot) =>
      this.#roots.some((named) => named.path === path || isBelow(named.path, path));
    const before = await this.withoutOtherHosts(await this.#scanned.roots());
    return [...this.#roots, ...before.filter((root) => !isNamed(root))];
  }

  /**
   * Returns `roots` without the roots that belong to other hosts. This host may open files only
   * below the returned roots.
   */
  withoutOtherHosts(roots: readonly LibraryRoot[]): Promise<LibraryRoot[]> {
    return withoutOtherHosts(this.#hosts, roots);
  }

  /**
   * Returns true if library roots exist, but all of them belong to other hosts. In this case, only
   * the other hosts can work on the files.
   */
  async isOnOtherHosts(): Promise<boolean> {
    const roots = await this.#hosts.list();
    return roots.length > 0 && roots.every(({ isOwn }) => !isOwn);
  }

  /** Returns true if library roots belong to this host. */
  async hasRootsOnThisHost(): Promise<boolean> {
    return (await this.#hosts.list()).some(({ isOwn }) => isOwn);
  }

  /** Returns all files that were matched with a release, ordered by name, then by path. */
  ofRelease(releaseId: number): Promise<ReleaseFile[]> {
    return this.#list.ofRelease(releaseId);
  }

  /**
   * Scans the roots if one of them was never scanned. Otherwise builds the list in advance, so that
   * the first request can use the list unless something has changed. Requests can be served during
   * this call.
   */
  async startFirstPass(): Promise<void> {
    const wereScanned = await Promise.all(
      this.#roots.map((root) => this.#scanned.wasScanned(root)),
    );
    if (wereScanned.every((wasScanned) => wasScanned)) await this.#build(Number.NEGATIVE_INFINITY);
    else await this.#refresh();
  }

  /** Aborts a running refresh and waits until it has ended. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('the server stops'));
    await this.#refreshing?.catch(() => undefined);
  }

  #age({ at }: CachedList): number {
    return this.#clock.monotonic() - at;
  }

  /** Builds the current list. The age of the cached list is counted from the time `at`. */
  #build(at = this.#clock.monotonic()): Promise<readonly LibraryItem[]> {
    this.#building ??= withoutClient(() => this.#itemsOfNow(at)).finally(() => {
      this.#building = null;
    });
    return this.#building;
  }

  async #itemsOfNow(at: number): Promise<readonly LibraryItem[]> {
    // Read the versions before the items. If something changes during the build, the stored version
    // is then too old, so the next call builds the list again.
    const refreshes = await this.#refreshes.current();
    const version = await this.#list.version();
    const cached = this.#cached;
    const items = cached?.version === version ? cached.items : await this.#items();
    this.#cached = { at, version, refreshes, items };
    return items;
  }

  /**
   * Returns the files below the roots. Files that were recorded under another root are included if
   * that root is inside or around one of these roots.
   */
  async #items(): Promise<LibraryItem[]> {
    const isRelated = ({ path }: LibraryRoot) =>
      this.#roots.some((root) => isBelow(root.path, path) || isBelow(path, root.path));
    const known = await this.withoutOtherHosts(await this.#scanned.roots());
    return this.#list.items(this.#roots, known.filter(isRelated));
  }

  #refresh(): Promise<readonly LibraryItem[]> {
    this.#refreshing ??= withoutClient(() => this.#scanAndBuild()).finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #scanAndBuild(): Promise<readonly LibraryItem[]> {
    const name = `library ${digestOf(this.#roots, this.#host)}`;
    const scanned = await this.#leases.tryRun(name, () => this.#scan());
    // `scanned` is null if another process is refreshing the library. Wait for that refresh,
    // because its result is equally current.
    if (scanned === null) await this.#leases.waitUntilFree(name, this.#stop.signal);
    // A running build may have begun before the scan ended, so it may lack results of the scan.
    // Wait for that build, then build again.
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
    await this.#refreshes.recordRefresh();
  }
}
