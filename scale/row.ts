import type { OwnServer } from '../test/support/postgres/own-server.ts';
import type { Figure } from '../trust/check.ts';
import type { Pair } from './pair.ts';

/** One promise on several instances of a catalogue, and how it is measured. */
export interface Row {
  /** What `npm run scale -- NAME` runs it by: small letters and hyphens. */
  readonly name: string;
  /** Why it cannot run on this machine, which is printed as "skipped"; null where it can. */
  missing?(): string | null;
  /** Throws where nothing could be measured, which fails the row. */
  measure(scene: Scene): Promise<Figure[]>;
}

/** What one row works with. */
export interface Scene {
  /** An empty folder of its own. */
  readonly folder: string;
  /** The address of an empty database; "" for one in the data folder. */
  readonly database: string;
  /** The server of the database, which nobody else uses, where a row may do to it what it likes. */
  readonly server: OwnServer | null;
  /** What chance begins with; the same at every run with `--seed`. */
  readonly seed: number;
  /** A folder of DATs, where one was named. */
  readonly dats: string | undefined;
  /** How often something is done that is done `full` times by `npm run scale`, and more seldom by the tests. */
  times(full: number): number;
  /** Two instances on the database and one data folder; ended with the row. */
  openPair(database?: string): Promise<Pair>;
}

/** A figure that counts what must not be. */
export function noneOf(what: string, value: number, of?: number): Figure {
  return { what, value, unit: of === undefined ? '' : `of ${of}`, most: 0 };
}
