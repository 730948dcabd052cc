/** One line of the table. */
export interface Row {
  /** What `npm run bench -- NAME` runs it by: small letters, digits and hyphens. */
  readonly name: string;
  readonly what: string;
  readonly unit: 'answers/s' | 'ms' | 'MB/s' | 'MB/CPU-s' | 'MiB';
  readonly catalog: number;
  /** Null where the target is a figure of the catalog's alone. */
  readonly reference: number | null;
  /** What the reference is. */
  readonly against: string;
  /** All of which are to be held; none where nothing is promised. */
  readonly targets: readonly Target[];
  /** Further figures, for `--json`. */
  readonly detail?: Readonly<Record<string, number>>;
}

/** What a figure, or its ratio to the reference's, has to be at least or at most. */
export interface Target {
  readonly of: 'catalog' | 'ratio';
  readonly least?: number;
  readonly most?: number;
}

/** Rows that are measured together. */
export interface Bench {
  /** The names of its rows. */
  readonly rows: readonly string[];
  /** Why it cannot run here, which is printed as "skipped"; null where it can. */
  missing?(work: BenchWork): string | null;
  /** The rows that are wanted; what others alone need may be left out. */
  measure(work: BenchWork, isWanted: (name: string) => boolean): Promise<Row[]>;
}

/** What rows are measured with. */
export interface BenchWork {
  /** An empty folder of its own. */
  folder(name: string): Promise<string>;
  /** The data folder of a catalogue of so many releases, which others use too: nothing of it may change. */
  catalogue(releases: number): Promise<string>;
  /** The DAT files of as many releases. */
  dats(releases: number): Promise<string[]>;
  /** The folder of libretro's DATs as they are, with those that tell more of the same releases; null without them. */
  readonly archive: string | null;
}

/** The figure as times of the reference: of rates 1 is as fast and more is faster, of times and sizes less is better. */
export function ratioOf({ catalog, reference }: Row): number | null {
  return reference === null ? null : catalog / reference;
}

/** Whether all targets are held; null where there is none. */
export function isHeld(row: Row): boolean | null {
  if (row.targets.length === 0) return null;
  return row.targets.every(({ of, least = -Infinity, most = Infinity }) => {
    const value = of === 'catalog' ? row.catalog : (ratioOf(row) ?? Number.NaN);
    return value >= least && value <= most;
  });
}

/** The middle one of an odd number of measurements. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that so great a share of the measurements keep below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
