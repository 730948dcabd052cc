import type { Clock } from '../shared/clock.ts';
import { AbortableRuns } from '../shared/concurrency/abortable-runs.ts';
import { FairLimiter } from '../shared/concurrency/fair-limiter.ts';
import { CatalogError } from '../shared/errors.ts';
import { currentClient } from '../shared/requests/client-context.ts';
import { planBytes, type TreePlan } from './tree-plan.ts';
import { WeightedCache } from './weighted-cache.ts';

/** Identifies a plan, and its version. */
export interface PlanVersion {
  /** The set, the viewer and the device. */
  readonly slot: string;
  /** Changes with the rule of the set. */
  readonly rule: string;
  /** Changes with the catalogue, the library and the covers. */
  readonly revision: string;
}

interface CachedPlan extends PlanVersion {
  /** The error if the tree is too large for a plan. */
  readonly plan: TreePlan | CatalogError;
  /** The time when the plan was made, and the duration of its making, in milliseconds. */
  readonly madeAt: number;
  readonly took: number;
}

/**
 * Makes a plan. `previous` is the previous plan of the same slot. It is null if it is not cached.
 */
export type MakePlan = (options: {
  readonly signal: AbortSignal;
  readonly previous: TreePlan | null;
}) => Promise<TreePlan>;

/** Age in milliseconds after which a plan is made again, because covers can be added manually. */
const maxAgeMs = 600_000;
/**
 * A large plan, which has some thousand files, remains in use for `reuseFactor` times as long as
 * its making took, even if the library changes meanwhile. Otherwise, each request during a scan
 * would make a new plan, because a scan changes the library with each file.
 */
const [largeBytes, reuseFactor] = [1_048_576, 10];
/** Limits of concurrent planning, in total and for each network, and of plans that wait. */
const planning = {
  slots: { all: 2, maxPerOwner: 1 },
  waiting: { max: 40, maxPerOwner: 20 },
};

/** Caches plans of trees. Clients that need the same plan at once share its making. */
export class TreePlans {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #cached: WeightedCache<CachedPlan>;
  readonly #runs = new AbortableRuns<TreePlan>();
  readonly #limiter = new FairLimiter(planning.slots, planning.waiting);

  constructor(parts: { clock: Pick<Clock, 'monotonic'>; maxWeight: number }) {
    this.#clock = parts.clock;
    this.#cached = new WeightedCache(parts.maxWeight);
  }

  /**
   * Returns a plan. The making stops when all clients that wait for it have left. Throws busy() if
   * too many plans are being made, and `the tree is too large`, which is cached for its version.
   */
  get(version: PlanVersion, make: MakePlan): Promise<TreePlan> {
    const cached = this.#cached.get(version.slot);
    if (cached !== undefined && this.#isUsable(cached, version)) {
      const { plan } = cached;
      return plan instanceof CatalogError ? Promise.reject(plan) : Promise.resolve(plan);
    }
    const key = JSON.stringify([version.slot, version.rule, version.revision]);
    return this.#runs.get(key, (signal) => this.#make(version, make, signal));
  }

  #isUsable({ rule, revision, madeAt, took, plan }: CachedPlan, version: PlanVersion): boolean {
    const age = this.#clock.monotonic() - madeAt;
    if (rule !== version.rule || age > maxAgeMs) return false;
    if (revision === version.revision) return true;
    if (plan instanceof CatalogError) return false;
    return plan.weight > largeBytes && age < reuseFactor * took;
  }

  #make(version: PlanVersion, make: MakePlan, signal: AbortSignal): Promise<TreePlan> {
    const work = async () => {
      const begun = this.#clock.monotonic();
      const cached = this.#cached.get(version.slot)?.plan;
      const previous = cached === undefined || cached instanceof CatalogError ? null : cached;
      const store = (plan: CachedPlan['plan'], weight: number) => {
        const madeAt = this.#clock.monotonic();
        this.#cached.set(version.slot, { ...version, plan, madeAt, took: madeAt - begun }, weight);
      };
      try {
        const plan = await make({ signal, previous });
        store(plan, plan.weight);
        return plan;
      } catch (error) {
        if (isLasting(error)) store(error, planBytes);
        throw error;
      }
    };
    return this.#limiter.run(currentClient()?.network ?? null, work, signal);
  }
}

/** Returns true for an error that lasts until the version changes: the tree is too large. */
function isLasting(error: unknown): error is CatalogError {
  return error instanceof CatalogError && error.kind === 'conflict';
}
