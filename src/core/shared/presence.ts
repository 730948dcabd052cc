import type { LeaseRecords } from './leases.ts';
import type { OwnerState } from './owner-state.ts';

/** A process that has not renewed its lease for this long is considered dead. */
const leaseMs = 30_000;
const renewMs = 5_000;

/**
 * Records which of the processes that share a database are alive, by the database's clock. On
 * several machines, or in containers, no process can ask the OS about another: host names and
 * process ids repeat, and clocks differ.
 */
export class Presence {
  readonly #records: LeaseRecords;
  readonly #own: string;
  #timer: NodeJS.Timeout | undefined;

  /** `process` is the name of this process, which no other process has had. */
  constructor(parts: { records: LeaseRecords; process: string }) {
    this.#records = parts.records;
    this.#own = parts.process;
  }

  /** Registers this process; call it before the process owns any work. */
  async begin(): Promise<void> {
    await this.#renew();
    this.#timer = setInterval(() => void this.#renew().catch(() => undefined), renewMs);
    this.#timer.unref();
  }

  async stateOf(process: string): Promise<OwnerState> {
    return (await this.#records.isHeld(leaseOf(process))) ? 'alive' : 'ended';
  }

  /** Marks this process as ended; never rejects. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#records.drop(leaseOf(this.#own), this.#own).catch(() => undefined);
  }

  async #renew(): Promise<void> {
    await this.#records.take(leaseOf(this.#own), this.#own, leaseMs);
  }
}

const leaseOf = (process: string) => `process/${process}`;
