/** One row of the results table. */
export interface Row {
  /** Name for `npm run bench -- NAME`. Consists of lower-case letters, digits and hyphens. */
  readonly name: string;
  readonly what: string;
  readonly unit: 'answers/s' | 'ms' | 'MB/s' | 'MB/CPU-s' | 'MiB';
  readonly catalog: number;
  /** Figure of the reference; null if the target applies only to the catalog's figure. */
  readonly reference: number | null;
  /** Description of the reference. */
  readonly against: string;
  /** Targets that must all be met; empty if the row has no target. */
  readonly targets: readonly Target[];
  /** Further figures for the output of `--json`. */
  readonly detail?: Readonly<Record<string, number>>;
}

/** Bounds for the catalog's figure, or for its ratio to the reference. */
export interface Target {
  readonly of: 'catalog' | 'ratio';
  readonly least?: number;
  readonly most?: number;
}

/** Rows that are measured together. */
export interface Bench {
  /** Names of the rows that `measure` can return. */
  readonly rows: readonly string[];
  /**
   * Returns the reason why the benchmark cannot run on this machine; null if it can. The table
   * prints the reason as "skipped".
   */
  skipReason?(work: BenchWork): string | null;
  /** Measures the wanted rows. May skip work that only other rows need. */
  measure(work: BenchWork, isWanted: (name: string) => boolean): Promise<Row[]>;
}

/** Folders, catalogues and DATs that benchmarks use. */
export interface BenchWork {
  /** Returns the folder with this name. Creates the folder if it does not exist. */
  folder(name: string): Promise<string>;
  /**
   * Returns the data folder of a catalogue with `releases` releases. Benchmarks share the catalogue
   * and must not change it.
   */
  catalogue(releases: number): Promise<string>;
  /** Returns the paths of DAT files with this number of releases. */
  dats(releases: number): Promise<string[]>;
  /**
   * Folder of all libretro DATs; null if not available. Some of the DATs only add metadata to the
   * releases of other DATs.
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

/** Returns true if all targets are met, and null if the row has no target. */
export function meetsTargets(row: Row): boolean | null {
  if (row.targets.length === 0) return null;
  return row.targets.every(({ of, least = -Infinity, most = Infinity }) => {
    const value = of === 'catalog' ? row.catalog : (ratioOf(row) ?? Number.NaN);
    return value >= least && value <= most;
  });
}

/** Returns a row for memory. Such a row has a limit instead of a reference. */
export function memoryRow(name: string, what: string, mib: number, maxMib: number): Row {
  return {
    name,
    what,
    unit: 'MiB',
    catalog: mib,
    reference: null,
    against: '',
    targets: [{ of: 'catalog', most: maxMib }],
  };
}
