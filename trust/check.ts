import type { Figure } from '../measure/figure.ts';
import type { Trial } from './trial.ts';

/** One guarantee of docs/trust.md, and the check of it. */
export interface Check {
  /** Name for `npm run trust -- NAME`. Consists of lower-case letters and hyphens. */
  readonly name: string;
  /**
   * The fault planted for the control run. Without the fault, all figures must pass. With the
   * fault, the figures that it breaks must fail.
   */
  readonly control: Fault;
  /**
   * Source changes that shorten long timeouts. The changes apply to the product both with and
   * without the fault.
   */
  readonly shortened?: readonly SourceChange[];
  /**
   * Returns the reason why the check cannot run on this machine; null if it can. The table prints
   * the reason as "skipped".
   */
  skipReason?(): Promise<string | null>;
  /**
   * Returns the same figures for the product with and without the fault. Throws if nothing could be
   * measured. An exception fails the check and does not count as a detected fault.
   */
  measure(trial: Trial): Promise<Figure[]>;
}

export interface Fault {
  /** Short description of how the fault changes the product. */
  readonly what: string;
  /**
   * Replacements in the sources that plant the fault. Each text must occur exactly once in its
   * file. Without `changes`, `measure` plants the fault itself if `trial.isControl` is true.
   */
  readonly changes?: readonly SourceChange[];
  /** Figures that must all fail with the fault. Without `breaks`, at least one figure must fail. */
  readonly breaks?: readonly string[];
}

export interface SourceChange {
  /** Path relative to the root of the repository, such as `src/core/store/store.ts`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}
