import type { LeaseRecords } from './leases.ts';
import type { OwnerState } from './owner-state.ts';

/** Milliseconds without a renewal of its lease after which a process is considered dead. */
const leaseMs = 30_000;
const renewMs = 5_000;

/**
 * Records which processes that share a database are alive. Times are those of the database's clock.
 * Processes may run on several machines or in containers. There, host names and process ids repeat
 * and clocks differ, so the operating system cannot be asked about another process.
 */
export class Presence {
  readonly #records: LeaseRecords;
  readonly #own: string;
  #timer: NodeJS.Timeout | undefined;

  /** `process` is the name of this process. No other process may have had the same name. */
  constructor(parts: { records: LeaseRecords; process: string }) {
    this.#records = parts.records;
    this.#own = parts.process;
  }

  /** Records that this process is alive. Call it before the process owns any work. */
  async begin(): Promise<void> {
    await this.#renew();
    this.#timer = setInterval(() => void this.#renew().catch(() => undefined), renewMs);
    this.#timer.unref();
  }

  async stateOf(process: string): Promise<OwnerState> {
    return (await this.#records.isHeld(leaseOf(process))) ? 'alive' : 'ended';
  }

  /** Records that this process has ended. Never rejects. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#records.drop(leaseOf(this.#own), this.#own).catch(() => undefined);
  }

  async #renew(): Promise<void> {
    await this.#records.take(leaseOf(this.#own), this.#own, leaseMs);
  }
}

const leaseOf = (process: string) => `process/${process}`;
