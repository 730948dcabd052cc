import { type JobLease, LeaseLost } from '../shared/processes/job-lease.ts';
import type { JobProgress } from './job.ts';
import type { JobRecords } from './ports.ts';

/** Interval between heartbeats, in milliseconds. */
const beatMs = 1_000;

/**
 * Sends a heartbeat with the job's progress and step every second. The response states whether a
 * user requested a stop, and whether the lease was lost.
 */
export class Heartbeat {
  progress: JobProgress | null = null;
  /** The last step that the work has completed; null for none. */
  step: unknown;
  #storedStep: unknown;
  readonly #beat: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #beating: Promise<void> | null = null;
  #hasEnded = false;

  /**
   * Sends the first heartbeat at once. `step` is the stored step. Both `onStop` and `onLost` may be
   * called several times.
   */
  constructor(
    records: Pick<JobRecords, 'heartbeat'>,
    { id, owner, onLost }: JobLease,
    step: unknown,
    onStop: () => void,
  ) {
    this.step = step;
    this.#storedStep = step;
    this.#beat = async () => {
      const { step: next, progress } = this;
      const changed = next === this.#storedStep ? {} : { step: next };
      const reply = await records.heartbeat(id, owner, { progress, ...changed });
      this.#storedStep = next;
      if (this.#hasEnded) return;
      if (reply === null) onLost(new LeaseLost());
      else if (reply.isStopping) onStop();
    };
    this.#timer = setInterval(() => void this.#next(), beatMs);
    void this.#next();
  }

  /**
   * Sends a heartbeat to store the current progress and step. Never rejects: the next heartbeat
   * sends them again.
   */
  async store(): Promise<void> {
    await this.#beating;
    await this.#next();
  }

  /** Ends the heartbeats. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    clearInterval(this.#timer);
    await this.#beating;
  }

  /**
   * Sends a heartbeat unless the previous one is still being sent. A busy database therefore does
   * not cause a queue of heartbeats.
   */
  #next(): Promise<void> {
    this.#beating ??= this.#beat()
      .catch(() => undefined) // the next heartbeat sends the progress again
      .finally(() => {
        this.#beating = null;
      });
    return this.#beating;
  }
}
