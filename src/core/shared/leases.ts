import { busy } from './errors.ts';
import { withoutLease } from './job-lease.ts';
import { pause } from './pause.ts';

/**
 * The database records of leases. At any time, one process holds a lease, among all that share the
 * database. Each method is one short transaction.
 */
export interface LeaseRecords {
  /**
   * Gives the lease to `holder` for `ms` milliseconds, or extends it if `holder` already has it.
   * Returns false while another holder has the lease. A lease that has expired, or whose holder is
   * known to be dead, can be taken.
   */
  take(name: string, holder: string, ms: number): Promise<boolean>;
  /** Returns whether a holder has the lease and it has not expired. */
  isHeld(name: string): Promise<boolean>;
  /** Releases the lease. Does nothing if another holder has it. */
  drop(name: string, holder: string): Promise<void>;
}

/** Passed to work that runs while its process holds a lease. */
export interface Held {
  /**
   * Throws busy() if this process stalled for so long that another process may have the lease now.
   */
  check(): void;
}

export interface HoldOptions {
  /** How long to wait while another holder has the lease, in milliseconds. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds after which a lease expires if its holder no longer renews it. */
const leaseMs = 15_000;
const renewMs = 5_000;
const lookAgainMs = 50;

/** Runs work that only one process may run at a time. A name identifies the work. */
export class Leases {
  readonly #records: LeaseRecords;
  readonly #newHolder: () => string;
  readonly #monotonic: () => number;

  constructor(parts: {
    records: LeaseRecords;
    /** Returns a name for a new holder. Each name is different, and identifies the process. */
    newHolder: () => string;
    clock: { monotonic(): number };
  }) {
    this.#records = parts.records;
    this.#newHolder = parts.newHolder;
    this.#monotonic = () => parts.clock.monotonic();
  }

  /**
   * Waits for the lease, then runs the work while holding it, and returns the result. Throws busy()
   * if another holder has the lease for longer than `waitMs`. Throws the signal's reason, and any
   * error of the work.
   */
  async hold<T>(
    name: string,
    { waitMs, signal = new AbortController().signal }: HoldOptions,
    work: (held: Held) => Promise<T>,
  ): Promise<T> {
    const giveUp = performance.now() + waitMs;
    for (;;) {
      const done = await this.tryHold(name, work);
      if (done !== null) return done.result;
      if (performance.now() >= giveUp) throw busy();
      await pause(lookAgainMs, signal);
    }
  }

  /** Works like `hold`, but does not wait: returns null if another holder has the lease. */
  async tryHold<T>(
    name: string,
    work: (held: Held) => Promise<T>,
  ): Promise<{ readonly result: T } | null> {
    const holder = this.#newHolder();
    let takenAt = this.#monotonic();
    if (!(await this.#records.take(name, holder, leaseMs))) return null;
    const renew = async () => {
      const at = this.#monotonic();
      const isTaken = await this.#records.take(name, holder, leaseMs);
      // After a late renewal, this may be a new lease. Another process may have held the lease in
      // between and done the work.
      if (isTaken && this.#monotonic() - takenAt < leaseMs) takenAt = at;
    };
    // If a busy database rejects a renewal, the next one tries again. `check` throws when it is too
    // late.
    const timer = setInterval(() => void renew().catch(() => undefined), renewMs);
    const held = {
      check: () => {
        if (this.#monotonic() - takenAt >= leaseMs) throw busy();
      },
    };
    try {
      return { result: await work(held) };
    } finally {
      clearInterval(timer);
      const drop = () => this.#records.drop(name, holder);
      await withoutLease(drop).catch(() => undefined); // the lease will expire
    }
  }

  /** Resolves when the lease is free. Throws the signal's reason. */
  async untilFree(name: string, signal: AbortSignal): Promise<void> {
    while ((await this.tryHold(name, async () => true)) === null) await pause(lookAgainMs, signal);
  }
}
