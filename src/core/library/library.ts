import type { Clock } from '../shared/clock.ts';
import type { LibraryItem, LibraryRoot } from './library-file.ts';
import type { LibraryRecords } from './ports.ts';
import type { ScanReport } from './scan-report.ts';
import type { LibraryScanner } from './scanner.ts';

/** minimal-api.md, Limits. */
const cacheMs = 60_000;

/** The library as the minimal API shows it: a list that is built at most once a minute. */
export class Library {
  readonly #records: LibraryRecords;
  readonly #scanner: LibraryScanner;
  readonly #roots: readonly LibraryRoot[];
  readonly #clock: Clock;
  readonly #onReport: (report: ScanReport) => void;
  #cached: { at: number; items: readonly LibraryItem[] } | null = null;
  #building: Promise<readonly LibraryItem[]> | null = null;
  #refreshing: Promise<readonly LibraryItem[]> | null = null;
  readonly #stop = new AbortController();

  constructor(parts: {
    records: LibraryRecords;
    scanner: LibraryScanner;
    roots: readonly LibraryRoot[];
    clock: Clock;
    /** Told after each refresh, for the log. */
    onReport: (report: ScanReport) => void;
  }) {
    this.#records = parts.records;
    this.#scanner = parts.scanner;
    this.#roots = parts.roots;
    this.#clock = parts.clock;
    this.#onReport = parts.onReport;
  }

  /**
   * Unique by name and size, ordered by name (code point). A refresh walks the roots first, without hashing; refreshes
   * that arrive while one runs share its result.
   */
  async list(options: { refresh: boolean }): Promise<readonly LibraryItem[]> {
    if (options.refresh) return this.#refresh();
    const cached = this.#cached;
    if (cached !== null && this.#clock.monotonic() - cached.at <= cacheMs) return cached.items;
    return this.#build();
  }

  /** Starts a first pass when a root was never scanned; nobody waits for it. */
  async startFirstPass(): Promise<void> {
    for (const root of this.#roots) {
      if (await this.#records.wasScanned(root)) continue;
      await this.#refresh();
      return;
    }
  }

  /** Ends a refresh that runs. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('the server stops'));
    await this.#refreshing?.catch(() => undefined);
  }

  #build(): Promise<readonly LibraryItem[]> {
    this.#building ??= this.#records
      .items(this.#roots)
      .then((items) => {
        this.#cached = { at: this.#clock.monotonic(), items };
        return items;
      })
      .finally(() => {
        this.#building = null;
      });
    return this.#building;
  }

  #refresh(): Promise<readonly LibraryItem[]> {
    this.#refreshing ??= this.#scanner
      .scan({
        roots: this.#roots,
        hash: false,
        full: false,
        forget: false,
        jobs: 1,
        signal: this.#stop.signal,
        onProgress: () => undefined,
      })
      .then(async (report) => {
        this.#onReport(report);
        // A list that began to be built before the scan ended may lack what it found.
        await this.#building;
        return this.#build();
      })
      .finally(() => {
        this.#refreshing = null;
      });
    return this.#refreshing;
  }
}
