import type { Trial } from './trial.ts';

/** One promise of docs/trust.md, and how it is checked. */
export interface Check {
  /** Name for `npm run trust -- NAME`: lower-case letters and hyphens. */
  readonly name: string;
  /**
   * The fault planted for the control. All figures must hold without it; with it, the figures that
   * it breaks must fail.
   */
  readonly control: Fault;
  /** Source changes made in both products, to shorten timeouts that are too long to wait for. */
  readonly shortened?: readonly SourceChange[];
  /** Returns why the check cannot run on this machine, printed as "skipped"; null if it can. */
  missing?(): Promise<string | null>;
  /**
   * Returns the same figures for the product with and without the fault. Throws if nothing could be
   * measured; that fails the check and does not count as a caught control.
   */
  measure(trial: Trial): Promise<Figure[]>;
}

export interface Fault {
  /** A few words on how the fault changes the product. */
  readonly what: string;
  /**
   * Replacements in the sources that plant the fault. Each text must occur exactly once in its
   * file. Without any, `measure` plants the fault itself if `trial.isControl`.
   */
  readonly changes?: readonly SourceChange[];
  /**
   * Figures that must all fail with the fault. If none are named, at least one figure must fail.
   */
  readonly breaks?: readonly string[];
}

export interface SourceChange {
  /** Path from the root of the repository: `src/core/shared/limiter.ts`. */
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

/** Returns whether the value is within its bound; NaN is not. */
export function passes({ value, most }: Figure): boolean {
  return value <= most;
}
