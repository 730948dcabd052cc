import { type JobLease, LeaseLost } from '../shared/job-lease.ts';
import type { JobProgress } from './job.ts';
import type { JobRecords } from './ports.ts';

/** Between two signs of life. */
const beatMs = 1_000;

/** Says every second that a job's process is alive and how far it is, and hears whether it is to stop or has lost its lease. */
export class Heartbeat {
  progress: JobProgress | null = null;
  readonly #beat: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #beating: Promise<void> | null = null;

  /** The first sign of life is given at once; `onStop` and `onLost` may be called more than once. */
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

  /** Gives a last sign of life, so that the row says how far the work came. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
    await this.#beat().catch(() => undefined);
  }

  /** A busy database makes a heartbeat wait; those that would queue behind it are left out. */
  #next(): void {
    this.#beating ??= this.#beat()
      .catch(() => undefined) // the next one makes up for it
      .finally(() => {
        this.#beating = null;
      });
  }
}
