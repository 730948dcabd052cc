import { type JobLease, LeaseLost } from '../shared/processes/job-lease.ts';
import type { JobProgress } from './job.ts';
import type { JobRecords } from './ports.ts';

/** Interval between heartbeats, in milliseconds. */
const beatMs = 1_000;

/**
 * Sends a heartbeat with the job's progress every second. The response tells whether a user asked
 * the job to stop, and whether the lease was lost.
 */
export class Heartbeat {
  progress: JobProgress | null = null;
  readonly #beat: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #beating: Promise<void> | null = null;

  /** Sends the first heartbeat at once. Both `onStop` and `onLost` may be called several times. */
  constructor(
    records: Pick<JobRecords, 'heartbeat'>,
    { id, owner, onLost }: JobLease,
    onStop: () => void,
  ) {
    this.#beat = async () => {
      const heard = await records.heartbeat(id, owner, this.progress);
      if (heard === null) onLost(new LeaseLost());
      else if (heard.isStopping) onStop();
    };
    this.#timer = setInterval(() => this.#next(), beatMs);
    this.#next();
  }

  /** Sends a last heartbeat to store the final progress. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    await this.#beat().catch(() => undefined);
  }

  /**
   * Sends a heartbeat unless the previous one is still being sent. A busy database therefore does
   * not cause a queue of heartbeats.
   */
  #next(): void {
    this.#beating ??= this.#beat()
      .catch(() => undefined) // the next heartbeat sends the progress again
      .finally(() => {
        this.#beating = null;
      });
  }
}
