import type { Figure } from '../measure/figure.ts';
import type { OwnServer } from '../test/support/postgres/own-server.ts';
import type { Pair } from './pair.ts';

/** One guarantee about several instances of a catalogue, and its measurement. */
export interface Row {
  /** Name for `npm run scale -- NAME`. Consists of lower-case letters and hyphens. */
  readonly name: string;
  /**
   * Returns the reason why the row cannot run on this machine; null if it can. The table prints the
   * reason as "skipped".
   */
  skipReason?(): string | null;
  /** Returns the figures. Throws if nothing could be measured. An exception fails the row. */
  measure(scene: Scene): Promise<Figure[]>;
}

/** The resources for one row. */
export interface Scene {
  /** An empty folder that only this row uses. */
  readonly folder: string;
  /** URL of an empty database, or "" for a database in the data folder. */
  readonly database: string;
  /** The row's own database server, which the row may stop or crash; null if there is none. */
  readonly server: OwnServer | null;
  /** Seed for random choices, set by `--seed`. */
  readonly seed: number;
  /** A folder of DATs, set by `--dats`. */
  readonly dats: string | undefined;
  /** Names of the parts of the row to measure, set by `--only`; empty for all. */
  readonly only: readonly string[];
  /** Prints lines in place of the figures, when all rows have been measured. */
  show(lines: readonly string[]): void;
  /**
   * Returns how often to repeat something. `npm run scale` uses `full` repetitions; tests use
   * fewer.
   */
  times(full: number): number;
  /**
   * Opens two instances on the database and one data folder. The instances are stopped after the
   * row.
   */
  openPair(database?: string): Promise<Pair>;
}

/** Returns a figure that counts forbidden events. The limit of the figure is 0. */
export function noneOf(what: string, value: number, of?: number): Figure {
  return { what, value, unit: of === undefined ? '' : `of ${of}`, max: 0 };
}
