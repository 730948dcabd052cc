import type { Trial } from './trial.ts';

/** One promise of docs/trust.md, and how it is checked. */
export interface Check {
  /** What `npm run trust -- NAME` runs it by: small letters and hyphens. */
  readonly name: string;
  /** The fault that is planted for the control: without it the figures must hold, with it those that it breaks must not. */
  readonly control: Fault;
  /** What is replaced in both products, so that a time that is long is not waited for. */
  readonly shortened?: readonly SourceChange[];
  /** Why it cannot run on this machine, which is printed as "skipped"; null where it can. */
  missing?(): Promise<string | null>;
  /**
   * The figures, of a product without the fault or with it, whatever `trial` is. Throws where nothing could be measured,
   * which fails the check and is no caught control either.
   */
  measure(trial: Trial): Promise<Figure[]>;
}

export interface Fault {
  /** What is wrong with the product then, in a few words. */
  readonly what: string;
  /**
   * The texts of the sources that are replaced for it, each of which must stand once in its file. Without any,
   * `measure` plants the fault itself where `trial.isControl`.
   */
  readonly changes?: readonly SourceChange[];
  /** The figures of which none may hold with the fault. Without any named, one of all must not. */
  readonly breaks?: readonly string[];
}

export interface SourceChange {
  /** From the root of the repository: `src/core/shared/limiter.ts`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** One measured number with its bound. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The largest value that passes. */
  readonly most: number;
}

/** Whether the value keeps its bound; one that is no number does not. */
export function passes({ value, most }: Figure): boolean {
  return value <= most;
}
