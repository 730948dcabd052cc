import { type JobLease, LeaseLost } from '../shared/job-lease.ts';
import type { JobProgress } from './job.ts';
import type { JobRecords } from './ports.ts';

/** Interval between heartbeats, in milliseconds. */
const beatMs = 1_000;

/**
 * Sends a heartbeat with the job's progress every second, and learns of stop requests and of a lost
 * lease.
 */
export class Heartbeat {
  progress: JobProgress | null = null;
  readonly #beat: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #beating: Promise<void> | null = null;

  /** Sends the first heartbeat at once; `onStop` and `onLost` may be called more than once. */
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

  /** Sends a last heartbeat, so that the row has the final progress. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    await this.#beat().catch(() => undefined);
  }

  /** A busy database delays a heartbeat; heartbeats that would queue behind it are skipped. */
  #next(): void {
    this.#beating ??= this.#beat()
      .catch(() => undefined) // the next one makes up for it
      .finally(() => {
        this.#beating = null;
      });
  }
}
