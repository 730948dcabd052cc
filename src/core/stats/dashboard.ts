import type { Clock } from '../shared/clock.ts';
import { SharedRuns } from '../shared/concurrency/shared-runs.ts';
import type { FileArea } from '../shared/files/file-area.ts';

/** Number of days of downloads to show, including today. */
const daysShown = 90;
const dayMs = 24 * 60 * 60 * 1000;

/** The downloads of one day (UTC). `day` has the form `2026-11-22`. */
export interface DownloadDay {
  readonly day: string;
  readonly count: number;
  readonly bytes: number;
}

export interface DownloadDays {
  /** Returns the days since `from` that have downloads, oldest first. */
  downloadDays(from: string): Promise<DownloadDay[]>;
}

export interface AreaSize {
  readonly system: string;
  readonly files: number;
  readonly bytes: number;
}

export interface DashboardFigures {
  /** The areas of the store, ordered by name. */
  readonly areas: readonly AreaSize[];
  /** Free bytes on the file system of the data folder. */
  readonly freeBytes: number;
  /** Number of files in the covers folder and all folders below it (as in endpoint 20). */
  readonly covers: number;
  /** The downloads of each of the last 90 days, oldest first. */
  readonly downloads: readonly DownloadDay[];
}

/** Calculates the sizes and usage figures of the dashboard. */
export class Dashboard {
  readonly #downloads: DownloadDays;
  readonly #areas: Readonly<Record<string, FileArea>>;
  readonly #covers: FileArea;
  readonly #freeBytes: () => Promise<number>;
  readonly #clock: Clock;
  /**
   * Calculations in progress. Concurrent callers share a calculation, because it lists all files.
   */
  readonly #runs = new SharedRuns<DashboardFigures>();

  constructor(parts: {
    downloads: DownloadDays;
    areas: Readonly<Record<string, FileArea>>;
    covers: FileArea;
    freeBytes: () => Promise<number>;
    clock: Clock;
  }) {
    this.#downloads = parts.downloads;
    this.#areas = parts.areas;
    this.#covers = parts.covers;
    this.#freeBytes = parts.freeBytes;
    this.#clock = parts.clock;
  }

  get(): Promise<DashboardFigures> {
    return this.#runs.run('all', () => this.#read());
  }

  async #read(): Promise<DashboardFigures> {
    const days = lastDays(this.#clock.now());
    const [areas, freeBytes, covers, known] = await Promise.all([
      Promise.all(Object.entries(this.#areas).map(([system, area]) => sizeOf(system, area))),
      this.#freeBytes(),
      this.#covers.countTree(),
      this.#downloads.downloadDays(days[0] ?? ''),
    ]);
    const byDay = new Map(known.map((one) => [one.day, one]));
    const downloads = days.map((day) => byDay.get(day) ?? { day, count: 0, bytes: 0 });
    return { areas, freeBytes, covers, downloads };
  }
}

function lastDays(now: number): string[] {
  return Array.from({ length: daysShown }, (_, index) =>
    new Date(now - (daysShown - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}

async function sizeOf(system: string, area: FileArea): Promise<AreaSize> {
  let files = 0;
  let bytes = 0;
  for await (const { size } of area.list()) {
    files += 1;
    bytes += size;
  }
  return { system, files, bytes };
}
