/** One line of the table. */
export interface Row {
  /** Name for `npm run bench -- NAME`: lower-case letters, digits and hyphens. */
  readonly name: string;
  readonly what: string;
  readonly unit: 'answers/s' | 'ms' | 'MB/s' | 'MB/CPU-s' | 'MiB';
  readonly catalog: number;
  /** Figure of the reference; null if the target concerns only the catalog's figure. */
  readonly reference: number | null;
  /** Description of the reference. */
  readonly against: string;
  /** Targets that must all be met; empty if nothing is promised. */
  readonly targets: readonly Target[];
  /** Further figures, for `--json`. */
  readonly detail?: Readonly<Record<string, number>>;
}

/** Bounds for a figure, or for its ratio to the reference. */
export interface Target {
  readonly of: 'catalog' | 'ratio';
  readonly least?: number;
  readonly most?: number;
}

/** Rows that are measured together. */
export interface Bench {
  /** Names of the rows. */
  readonly rows: readonly string[];
  /** Returns why it cannot run here, printed as "skipped"; null if it can. */
  missing?(work: BenchWork): string | null;
  /** Measures the wanted rows; may skip work that only other rows need. */
  measure(work: BenchWork, isWanted: (name: string) => boolean): Promise<Row[]>;
}

/** Everything that benchmarks work with. */
export interface BenchWork {
  /** Returns the folder of this name, created if needed. */
  folder(name: string): Promise<string>;
  /**
   * Returns the data folder of a catalogue of `releases` releases. Other benchmarks use it too, so
   * it must not be changed.
   */
  catalogue(releases: number): Promise<string>;
  /** Returns DAT files with this number of releases. */
  dats(releases: number): Promise<string[]>;
  /**
   * Folder of all libretro DATs, including those that only add metadata to the same releases; null
   * if not available.
   */
  readonly archive: string | null;
}

/**
 * Returns the figure divided by the reference; null without a reference. For rates, higher is
 * better; for times and sizes, lower is better.
 */
export function ratioOf({ catalog, reference }: Row): number | null {
  return reference === null ? null : catalog / reference;
}

/** Returns whether all targets are met; null if there are none. */
export function isHeld(row: Row): boolean | null {
  if (row.targets.length === 0) return null;
  return row.targets.every(({ of, least = -Infinity, most = Infinity }) => {
    const value = of === 'catalog' ? row.catalog : (ratioOf(row) ?? Number.NaN);
    return value >= least && value <= most;
  });
}

/** Returns the middle one of an odd number of measurements. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the value that this share of the measurements does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
