import type { LeaseRecords } from './leases.ts';
import type { OwnerState } from './owner-state.ts';

/** Without a sign of life for so long, a process counts as ended. */
const leaseMs = 30_000;
const renewMs = 5_000;

/**
 * Signs of life of the processes that share a database, by its clock: on several machines, or in containers, no process
 * can ask the system about another, host names and process numbers repeat, and clocks differ.
 */
export class Presence {
  readonly #records: LeaseRecords;
  readonly #own: string;
  #timer: NodeJS.Timeout | undefined;

  /** `process`: the name of this one, which no other has had. */
  constructor(parts: { records: LeaseRecords; process: string }) {
    this.#records = parts.records;
    this.#own = parts.process;
  }

  /** Before this process owns any work. */
  async begin(): Promise<void> {
    await this.#renew();
    this.#timer = setInterval(() => void this.#renew().catch(() => undefined), renewMs);
    this.#timer.unref();
  }

  async stateOf(process: string): Promise<OwnerState> {
    return (await this.#records.isHeld(leaseOf(process))) ? 'alive' : 'ended';
  }

  /** From here on this process counts as ended; never rejects. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#records.drop(leaseOf(this.#own), this.#own).catch(() => undefined);
  }

  async #renew(): Promise<void> {
    await this.#records.take(leaseOf(this.#own), this.#own, leaseMs);
  }
}

const leaseOf = (process: string) => `process/${process}`;
