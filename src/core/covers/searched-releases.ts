/** Numbers of releases by the result of their search; see `CoverFetchReport`. */
type Counts = Readonly<
  Record<'stored' | 'missing' | 'remembered' | 'removed' | 'failed' | 'kept', number>
>;

/**
 * The state of a run: the releases that it has searched for, and the results. Can be stored as
 * JSON.
 */
export interface CoverFetchStep {
  /** Every wanted release up to this id was searched for. */
  readonly upTo: number;
  /** The ids above `upTo` of the releases that were searched for. */
  readonly ahead: readonly number[];
  readonly counts: Counts;
  readonly lastFailure: string | null;
}

const emptyStep: CoverFetchStep = {
  upTo: 0,
  ahead: [],
  counts: { stored: 0, missing: 0, remembered: 0, removed: 0, failed: 0, kept: 0 },
  lastFailure: null,
};

/**
 * Records for which releases a run has searched, in the order of ids, so that another run can
 * continue the search with the same counts.
 */
export class SearchedReleases {
  readonly #counts: { -readonly [Name in keyof Counts]: number };
  readonly #ahead: Set<number>;
  #remaining: readonly number[] = [];
  #next = 0;
  #upTo: number;
  lastFailure: string | null;

  /** `step` is the last step of an earlier run; null for none. */
  constructor(step: CoverFetchStep | null) {
    const { upTo, ahead, counts, lastFailure } = step ?? emptyStep;
    this.#counts = { ...counts };
    this.#ahead = new Set(ahead);
    this.#upTo = upTo;
    this.lastFailure = lastFailure;
  }

  /** Number of releases that were searched for. */
  get count(): number {
    return Object.values(this.#counts).reduce((sum, each) => sum + each, 0);
  }

  get counts(): Counts {
    return this.#counts;
  }

  /** Returns the releases that no run has searched for. `wanted` is ordered by id. */
  withoutSearched<Release extends { readonly id: number }>(wanted: readonly Release[]): Release[] {
    const rest = wanted.filter(({ id }) => id > this.#upTo && !this.#ahead.has(id));
    this.#remaining = rest.map(({ id }) => id);
    return rest;
  }

  /** Records the result for a release that `withoutSearched` returned. */
  add(id: number, result: keyof Counts): void {
    this.#counts[result] += 1;
    this.#ahead.add(id);
    // Move `#upTo` past all releases that were searched without a gap, then forget these.
    for (let next = this.#remaining[this.#next]; next !== undefined; ) {
      if (!this.#ahead.has(next)) break;
      this.#upTo = next;
      this.#next += 1;
      next = this.#remaining[this.#next];
    }
    for (const each of this.#ahead) if (each <= this.#upTo) this.#ahead.delete(each);
  }

  /** Returns the state that a later run needs to continue this run. */
  step(): CoverFetchStep {
    const { lastFailure } = this;
    const counts = { ...this.#counts };
    return { upTo: this.#upTo, ahead: [...this.#ahead], counts, lastFailure };
  }
}
