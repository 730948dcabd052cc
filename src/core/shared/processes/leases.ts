import { pause } from '../concurrency/pause.ts';
import { busy, CatalogError } from '../errors.ts';
import { withoutLease } from './job-lease.ts';

/**
 * The database records of leases. Among all processes that share the database, at most one holder
 * has a lease at a time. Each method is one short transaction.
 */
export interface LeaseRecords {
  /**
   * Gives the lease to `holder` for `ms` milliseconds, or extends the lease if `holder` already has
   * it. Returns false while another holder has the lease. If the lease has expired or the other
   * holder is known to be dead, `holder` gets the lease.
   */
  acquire(name: string, holder: string, ms: number): Promise<boolean>;
  /** Returns true if any holder has the lease and the lease has not expired. */
  isHeld(name: string): Promise<boolean>;
  /** Deletes the leases that expired some minutes ago. Their holders ended without a release. */
  deleteExpired(): Promise<void>;
  /** Releases the lease. Does nothing if another holder has the lease. */
  release(name: string, holder: string): Promise<void>;
}

/** Passed to work that runs under a lease. */
export interface HeldLease {
  /**
   * Throws busy() if this process stalled for so long that another process may have the lease now,
   * or if the lease was given up.
   */
  check(): void;
}

export interface LeaseOptions {
  /** Maximum time in milliseconds to wait while another holder has the lease. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Time in milliseconds after which a lease expires if the holder does not renew it. */
const leaseMs = 15_000;
const renewMs = 5_000;
const pollMs = 50;

/** Runs work that only one process may run at a time. The name of a lease identifies the work. */
export class Leases {
  readonly #records: LeaseRecords;
  readonly #newHolder: () => string;
  readonly #monotonic: () => number;
  /** For each held lease, a function that gives it up. */
  readonly #held = new Set<() => Promise<void>>();

  constructor(parts: {
    records: LeaseRecords;
    /**
     * Returns a name for a new holder. Each call returns a different name, which identifies the
     * process.
     */
    newHolder: () => string;
    clock: { monotonic(): number };
  }) {
    this.#records = parts.records;
    this.#newHolder = parts.newHolder;
    this.#monotonic = () => parts.clock.monotonic();
  }

  /**
   * Waits for the lease, then runs the work under the lease and returns the result. Throws busy()
   * if another holder has the lease for longer than `waitMs`. Throws the signal's reason if the
   * signal is aborted while waiting. Throws any error of the work.
   */
  async run<T>(
    name: string,
    { waitMs, signal = new AbortController().signal }: LeaseOptions,
    work: (lease: HeldLease) => Promise<T>,
  ): Promise<T> {
    const giveUp = performance.now() + waitMs;
    for (;;) {
      const done = await this.tryRun(name, work);
      if (done !== null) return done.result;
      if (performance.now() >= giveUp) throw busy();
      await pause(pollMs, signal);
    }
  }

  /**
   * Works like `run`, but does not wait. Returns null if another holder has the lease. If the work
   * fails with busy(), the lease is released in the background.
   */
  async tryRun<T>(
    name: string,
    work: (lease: HeldLease) => Promise<T>,
  ): Promise<{ readonly result: T } | null> {
    const holder = this.#newHolder();
    let takenAt = this.#monotonic();
    if (!(await this.#records.acquire(name, holder, leaseMs))) return null;
    let isGivenUp = false;
    let renewing: Promise<void> | null = null;
    const renew = async () => {
      const at = this.#monotonic();
      const isTaken = await this.#records.acquire(name, holder, leaseMs);
      // If the renewal was late, `acquire` may have created a new lease. Another process may have
      // held the lease in between and run the same work. In this case `takenAt` is not updated, so
      // that `check` throws.
      if (isTaken && this.#monotonic() - takenAt < leaseMs) takenAt = at;
    };
    // If a busy database rejects a renewal, the next renewal tries again. `check` throws if no
    // renewal succeeds in time.
    const timer = setInterval(() => {
      renewing ??= renew()
        .catch(() => undefined)
        .finally(() => {
          renewing = null;
        });
    }, renewMs);
    const release = async () => {
      clearInterval(timer);
      await renewing; // a renewal after the release would take the lease again
      const drop = () => this.#records.release(name, holder);
      await withoutLease(drop).catch(() => undefined); // if releasing fails, the lease expires
    };
    const giveUp = () => {
      isGivenUp = true;
      return release();
    };
    const lease = {
      check: () => {
        if (isGivenUp || this.#monotonic() - takenAt >= leaseMs) throw busy();
      },
    };
    this.#held.add(giveUp);
    try {
      const result = await work(lease);
      await release();
      return { result };
    } catch (error) {
      const released = release();
      // If the database is unavailable, the client must not wait for it a second time.
      if (!(error instanceof CatalogError && error.kind === 'busy')) await released;
      throw error;
    } finally {
      this.#held.delete(giveUp);
    }
  }

  /**
   * Releases all leases that this process holds. From now on, `check` of each of them throws
   * busy().
   */
  async giveUpAll(): Promise<void> {
    await Promise.all([...this.#held].map((giveUp) => giveUp()));
  }

  /**
   * Waits until no other holder has the lease. Throws the signal's reason if the signal is aborted.
   */
  async waitUntilFree(name: string, signal: AbortSignal): Promise<void> {
    while ((await this.tryRun(name, async () => true)) === null) await pause(pollMs, signal);
  }
}
