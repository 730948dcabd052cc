import { busy } from './errors.ts';
import { withoutLease } from './job-lease.ts';
import { pause } from './pause.ts';

/** What one process at a time does, of all that share the database; each method is one short transaction. */
export interface LeaseRecords {
  /**
   * Takes the lease for so many milliseconds, or longer for its holder. False while another holder has it, whose time is
   * not over and who is not known to be dead.
   */
  take(name: string, holder: string, ms: number): Promise<boolean>;
  /** Whether somebody has it and its time is not over. */
  isHeld(name: string): Promise<boolean>;
  /** Does nothing to another holder's. */
  drop(name: string, holder: string): Promise<void>;
}

/** A lease while work holds it. */
export interface Held {
  /** Throws busy() when it may have gone to another process, because this one stood still. */
  check(): void;
}

export interface HoldOptions {
  /** Milliseconds for which another holder is waited for. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** So long a lease stays whose holder is gone without a trace, on another machine. */
const leaseMs = 15_000;
const renewMs = 5_000;
const lookAgainMs = 50;

/** Work that one process at a time does, by its name. */
export class Leases {
  readonly #records: LeaseRecords;
  readonly #newHolder: () => string;
  readonly #monotonic: () => number;

  constructor(parts: {
    records: LeaseRecords;
    /** Another text each time, which says whose it is. */
    newHolder: () => string;
    clock: { monotonic(): number };
  }) {
    this.#records = parts.records;
    this.#newHolder = parts.newHolder;
    this.#monotonic = () => parts.clock.monotonic();
  }

  /**
   * The result of work that holds the lease. Throws busy() when another process has it for longer than `waitMs`, the
   * signal's reason, and what the work throws.
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

  /** As `hold`, but null at once while another process has the lease. */
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
      // Too late, it may be taken anew: somebody else may have had it in between, and worked.
      if (isTaken && this.#monotonic() - takenAt < leaseMs) takenAt = at;
    };
    // What a busy database does not take is tried again, until `check` says that it is too late.
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
      await withoutLease(drop).catch(() => undefined); // its time ends it
    }
  }

  /** Resolves when nobody has the lease any more. Throws the signal's reason. */
  async untilFree(name: string, signal: AbortSignal): Promise<void> {
    while ((await this.tryHold(name, async () => true)) === null) await pause(lookAgainMs, signal);
  }
}
