import type { JobProgress } from './job.ts';
import type { JobRecords } from './ports.ts';

/** Between two signs of life. */
const beatMs = 1_000;

/** Says every second that a job's process is alive and how far it is, and hears whether it is to stop. */
export class Heartbeat {
  progress: JobProgress | null = null;
  readonly #beat: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  #beating: Promise<void> | null = null;

  /** The first sign of life is given at once; `onStop` may be called more than once. */
  constructor(records: Pick<JobRecords, 'heartbeat'>, id: number, onStop: () => void) {
    this.#beat = async () => {
      const { isStopping } = await records.heartbeat(id, this.progress);
      if (isStopping) onStop();
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
