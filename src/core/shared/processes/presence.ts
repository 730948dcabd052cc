import type { LeaseRecords } from './leases.ts';
import type { OwnerState } from './owner-state.ts';

/** Time in milliseconds after which a process counts as dead if it does not renew its lease. */
const leaseMs = 30_000;
const renewMs = 5_000;
/** Interval at which the leases of dead processes are deleted, in milliseconds. */
const deleteEveryMs = 10 * 60_000;

/**
 * Records which of the processes that share a database are alive. Times are measured by the
 * database's clock. The processes may run on several machines or in containers, where host names
 * and process ids repeat and clocks differ. Therefore the operating system does not know whether
 * another process is alive.
 */
export class Presence {
  readonly #records: LeaseRecords;
  readonly #own: string;
  readonly #timers: NodeJS.Timeout[] = [];
  #renewing: Promise<void> | null = null;

  /** `process` is the name of this process. No other process may have had the same name. */
  constructor(parts: { records: LeaseRecords; process: string }) {
    this.#records = parts.records;
    this.#own = parts.process;
  }

  /** Records that this process is alive. Call this method before the process owns any work. */
  async begin(): Promise<void> {
    await this.#renew();
    this.#repeat(() => {
      this.#renewing ??= this.#renew()
        .catch(() => undefined) // the next renewal tries again
        .finally(() => {
          this.#renewing = null;
        });
      return this.#renewing;
    }, renewMs);
    this.#repeat(() => this.#records.deleteExpired(), deleteEveryMs);
  }

  async stateOf(process: string): Promise<OwnerState> {
    return (await this.#records.isHeld(leaseOf(process))) ? 'alive' : 'ended';
  }

  /** Records that this process has ended. Never rejects. */
  async end(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#renewing; // a renewal after the release would record this process as alive
    await this.#records.release(leaseOf(this.#own), this.#own).catch(() => undefined);
  }

  /** Repeats work in the background. Failed work is tried again at the next interval. */
  #repeat(work: () => Promise<void>, ms: number): void {
    this.#timers.push(setInterval(() => void work().catch(() => undefined), ms).unref());
  }

  async #renew(): Promise<void> {
    await this.#records.acquire(leaseOf(this.#own), this.#own, leaseMs);
  }
}

const leaseOf = (process: string) => `process/${process}`;
