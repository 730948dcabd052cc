import { alreadyRunning, stopping } from '../shared/errors.ts';
import type { AfterAttempt } from './attempts.ts';
import type { Job } from './job.ts';
import type { ServerJobKind } from './job-kind.ts';
import type { Jobs } from './jobs.ts';
import type { Attempts, JobProcesses, JobRequest, JobRun } from './ports.ts';

/**
 * Interval between two checks for jobs that wait for another attempt, in milliseconds. A check also
 * finds jobs whose process died on another machine.
 */
const checkMs = 5_000;

/** A job that a server can start. */
export interface ServerJobRequest extends JobRequest {
  readonly kind: ServerJobKind;
}

/**
 * Starts jobs for a server, and begins the next attempts of jobs of any server. Each job runs in a
 * separate process, so that it neither uses the server's memory nor blocks the server's event loop.
 */
export class BackgroundJobs {
  readonly #jobs: Jobs;
  readonly #processes: JobProcesses;
  readonly #attemptsOf: (request: ServerJobRequest) => Promise<Attempts>;
  readonly #onFailure: (error: unknown) => void;
  readonly #onNextAttempt: (job: Job) => void;
  readonly #following = new Set<Promise<void>>();
  /** Ids of the jobs whose processes this server runs, or whose end it records. */
  readonly #running = new Set<number>();
  /** Number of jobs that are being begun. */
  #beginning = 0;
  readonly #timers = new Set<NodeJS.Timeout>();
  #checking: Promise<void> = Promise.resolve();
  #beginsNext = false;
  #hasFailed = false;
  #isClosing = false;

  constructor(parts: {
    jobs: Jobs;
    processes: JobProcesses;
    /** Returns the number of attempts of a job, and the host that may run it. */
    attemptsOf: (request: ServerJobRequest) => Promise<Attempts>;
    /**
     * Called when the end of a job's process could not be recorded, or when the jobs could not be
     * checked. A later check then ends the attempt. If checks fail repeatedly, this is called once.
     */
    onFailure: (error: unknown) => void;
    /** Called when this server begins the next attempt of a job. */
    onNextAttempt?: (job: Job) => void;
  }) {
    this.#jobs = parts.jobs;
    this.#processes = parts.processes;
    this.#attemptsOf = parts.attemptsOf;
    this.#onFailure = parts.onFailure;
    this.#onNextAttempt = parts.onNextAttempt ?? (() => undefined);
  }

  /**
   * Starts a job and returns its id. A job for another host waits for a server of that host. Throws
   * `already running` when any job of this kind is running or waits for another attempt, no matter
   * which program started it.
   */
  async start(request: ServerJobRequest): Promise<number> {
    if (this.#isClosing) throw stopping();
    const attempts = await this.#attemptsOf(request);
    this.#beginning += 1;
    try {
      const begun = await this.#jobs.begin(request, attempts);
      if ('running' in begun) throw alreadyRunning();
      if (!attempts.isElsewhere) this.#follow(begun);
      return begun.id;
    } finally {
      this.#beginning -= 1;
    }
  }

  /** Begins the next attempts of jobs when they are due, until `close` is called. */
  beginAttempts(): void {
    this.#beginsNext = true;
    this.#timers.add(setInterval(() => void this.check(), checkMs).unref());
    void this.check();
  }

  /**
   * Begins the next attempt of each job that is due; never rejects. Before that, ends the attempts
   * whose beginning or end could not be recorded.
   */
  check(): Promise<void> {
    this.#checking = this.#checking.then(async () => {
      try {
        await this.#jobs.endStrays((id) => this.#beginning > 0 || this.#running.has(id));
        await this.#beginDue();
        this.#hasFailed = false;
      } catch (error) {
        if (!this.#hasFailed) this.#onFailure(error);
        this.#hasFailed = true;
      }
    });
    return this.#checking;
  }

  /**
   * Interrupts all running jobs. Kills each process that still runs after `withinMs` milliseconds.
   */
  async close(withinMs: number): Promise<void> {
    this.#isClosing = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#checking;
    await this.#processes.close(withinMs);
    await Promise.all(this.#following);
  }

  async #beginDue(): Promise<void> {
    while (!this.#isClosing) {
      const job = await this.#jobs.beginNext();
      if (job === null) return;
      this.#onNextAttempt(job);
      this.#follow(job);
    }
  }

  #follow({ id, run }: JobRun): void {
    this.#running.add(id);
    const following = this.#runProcess({ id, run })
      .then((next) => this.#checkAfter(next))
      .catch(this.#onFailure)
      .finally(() => {
        this.#running.delete(id);
        this.#following.delete(following);
      });
    this.#following.add(following);
  }

  /**
   * Runs the process of a run. Returns the state of the job after a lost attempt. Returns null if
   * the run was already over.
   */
  async #runProcess(run: JobRun): Promise<AfterAttempt | null> {
    const ended = this.#isClosing ? '' : await this.#processes.run(run);
    const lost = this.#isClosing
      ? { reason: 'its server stopped', wasStoppedByServer: true }
      : { reason: ended, wasStoppedByServer: false };
    return this.#jobs.endRun(run, lost);
  }

  /** Checks for due jobs as soon as the pause before the next attempt is over. */
  #checkAfter(next: AfterAttempt | null): void {
    if (next?.state !== 'queued' || !this.#beginsNext || this.#isClosing) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.check();
    }, next.pauseMs);
    this.#timers.add(timer.unref());
  }
}
