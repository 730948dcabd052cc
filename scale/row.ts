import type { OwnServer } from '../test/support/postgres/own-server.ts';
import type { Figure } from '../trust/check.ts';
import type { Pair } from './pair.ts';

/** One promise about several instances of a catalogue, and how it is measured. */
export interface Row {
  /** Name for `npm run scale -- NAME`: lower-case letters and hyphens. */
  readonly name: string;
  /** Returns why the row cannot run on this machine, printed as "skipped"; null if it can. */
  missing?(): string | null;
  /** Returns the figures. Throws if nothing could be measured, which fails the row. */
  measure(scene: Scene): Promise<Figure[]>;
}

/** Everything that one row works with. */
export interface Scene {
  /** An empty folder for this row only. */
  readonly folder: string;
  /** URL of an empty database; "" for one in the data folder. */
  readonly database: string;
  /** The database server, if the row has it to itself and may stop or crash it; otherwise null. */
  readonly server: OwnServer | null;
  /** Seed for random choices; `--seed` sets it. */
  readonly seed: number;
  /** A folder of DATs, if one was given. */
  readonly dats: string | undefined;
  /**
   * Returns how often to repeat something that `npm run scale` repeats `full` times. Tests repeat
   * it less often.
   */
  times(full: number): number;
  /** Opens two instances on the database and one data folder. They end with the row. */
  openPair(database?: string): Promise<Pair>;
}

/** Returns a figure that counts things that must not happen. */
export function noneOf(what: string, value: number, of?: number): Figure {
  return { what, value, unit: of === undefined ? '' : `of ${of}`, most: 0 };
}
