import { busy } from './errors.ts';
import { withoutLease } from './job-lease.ts';
import { pause } from './pause.ts';

/**
 * The records of leases, each held by one process at a time among all that share the database. Each
 * method is one short transaction.
 */
export interface LeaseRecords {
  /**
   * Takes the lease for `ms` milliseconds, or extends it for its holder. Returns false while
   * another holder has it, unless its time has expired or that holder is known to be dead.
   */
  take(name: string, holder: string, ms: number): Promise<boolean>;
  /** Whether the lease is held and has not expired. */
  isHeld(name: string): Promise<boolean>;
  /** Drops the lease; does nothing if another holder has it. */
  drop(name: string, holder: string): Promise<void>;
}

/** Handed to work for as long as it holds the lease. */
export interface Held {
  /** Throws busy() if another process may have the lease now, because this one was stalled. */
  check(): void;
}

export interface HoldOptions {
  /** How long to wait for another holder, in milliseconds. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How long a lease survives if its holder disappears on another machine. */
const leaseMs = 15_000;
const renewMs = 5_000;
const lookAgainMs = 50;

/** Runs work that only one process may do at a time, by name. */
export class Leases {
  readonly #records: LeaseRecords;
  readonly #newHolder: () => string;
  readonly #monotonic: () => number;

  constructor(parts: {
    records: LeaseRecords;
    /** Returns a new name each time, which identifies its owner. */
    newHolder: () => string;
    clock: { monotonic(): number };
  }) {
    this.#records = parts.records;
    this.#newHolder = parts.newHolder;
    this.#monotonic = () => parts.clock.monotonic();
  }

  /**
   * Runs work while holding the lease, and returns its result. Throws busy() if another process has
   * the lease for longer than `waitMs`. Also throws the signal's reason, and any error of the work.
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

  /** Works like `hold`, but returns null at once while another process has the lease. */
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
      // If renewed too late, it may be a new lease: another process may have held it in between and
      // done the work.
      if (isTaken && this.#monotonic() - takenAt < leaseMs) takenAt = at;
    };
    // A renewal that a busy database rejects is retried, until `check` reports that it is too late.
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
      await withoutLease(drop).catch(() => undefined); // it will expire
    }
  }

  /** Resolves when no process has the lease any more. Throws the signal's reason. */
  async untilFree(name: string, signal: AbortSignal): Promise<void> {
    while ((await this.tryHold(name, async () => true)) === null) await pause(lookAgainMs, signal);
  }
}
