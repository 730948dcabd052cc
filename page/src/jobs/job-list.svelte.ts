import { type Job, jobsPageSize, listJobs } from '../api/jobs.ts';
import { Refusal } from '../api/request.ts';
import { isUnended } from './is-unended.ts';
import { Pace } from './pace.ts';

/**
 * The jobs that were read so far, newest first. The server never deletes jobs, so a new read only
 * adds or updates jobs.
 */
export class JobList {
  items: readonly Job[] | null = $state.raw(null);
  failure: unknown = $state.raw(null);
  hasMore = $state(false);
  /** The jobs that are running or queued. */
  readonly running: readonly Job[] = $derived((this.items ?? []).filter(isUnended));
  readonly ended: readonly Job[] = $derived((this.items ?? []).filter((job) => !isUnended(job)));
  readonly pace = new Pace();
  readonly #onEnded: (job: Job) => void;
  #abort = new AbortController();

  /**
   * `onEnded` is called for each job that was running in an earlier read and has ended in the
   * latest read.
   */
  constructor(onEnded: (job: Job) => void) {
    this.#onEnded = onEnded;
  }

  /**
   * Reads the newest jobs. Resolves with true if any known job is running or queued. Never rejects.
   */
  async read(): Promise<boolean> {
    const newest = await this.#page(undefined);
    if (newest !== null) {
      const isFirst = this.items === null;
      for (const job of newest) this.pace.record(job, performance.now());
      const ran = new Set(this.running.map(({ id }) => id));
      this.#take(newest);
      if (isFirst) this.hasMore = newest.length === jobsPageSize;
      for (const job of newest) if (!isUnended(job) && ran.has(job.id)) this.#onEnded(job);
    }
    return this.running.length > 0;
  }

  /** Reads the next page of jobs, which are older than the oldest known job. Never rejects. */
  async readMore(): Promise<void> {
    const older = await this.#page(this.items?.at(-1)?.id);
    if (older === null) return;
    this.#take(older);
    this.hasMore = older.length === jobsPageSize;
  }

  close(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  async #page(before: number | undefined): Promise<readonly Job[] | null> {
    const { signal } = this.#abort;
    try {
      const page = await listJobs(before, signal);
      this.failure = null;
      return page;
    } catch (error) {
      if (signal.aborted) return null;
      this.failure = error;
      if (error instanceof Refusal && [401, 403].includes(error.status)) this.items = null;
      return null;
    }
  }

  #take(page: readonly Job[]): void {
    const known = new Map((this.items ?? []).map((job) => [job.id, job]));
    for (const job of page) known.set(job.id, job);
    this.items = [...known.values()].sort((a, b) => b.id - a.id);
  }
}
