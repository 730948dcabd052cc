import type { Clock } from '../shared/clock.ts';
import { CatalogError, notFound, refused } from '../shared/errors.ts';
import type { NewestPage } from '../shared/newest-page.ts';
import { ClockSteps } from '../shared/processes/clock-steps.ts';
import { LeaseLost, withLease } from '../shared/processes/job-lease.ts';
import type { OwnerStateOf } from '../shared/processes/owner-state.ts';
import type { Actor } from '../shared/requests/actor.ts';
import { Heartbeat } from './heartbeat.ts';
import type { Job, JobProgress, JobRecord, JobState } from './job.ts';
import type { JobFilter, JobRecords, JobRequest } from './ports.ts';
import { Interrupted, StopRequested } from './stop-reasons.ts';

/** Milliseconds without a heartbeat after which a job's process is considered dead. */
const leaseMs = 30_000;

/** Describes a running job to the work of the job. */
export interface RunningJob {
  readonly id: number;
  /** Aborted when a user asks the job to stop, or when the caller's signal is aborted. */
  readonly signal: AbortSignal;
  /** Sets the progress of the job. The next heartbeat stores it. */
  progress(progress: JobProgress): void;
}

export type JobWork<Report> = (job: RunningJob) => Promise<Report>;

/**
 * Runs long-running work as jobs. Each job has a row in the database, and a lease that heartbeats
 * renew. At most one job of each kind runs at a time.
 */
export class Jobs {
  readonly #records: JobRecords;
  readonly #clock: Clock;
  readonly #steps: ClockSteps;
  readonly #owner: string;
  readonly #ownerState: OwnerStateOf;

  constructor(parts: {
    records: JobRecords;
    clock: Clock;
    owner: string;
    ownerState: OwnerStateOf;
  }) {
    this.#records = parts.records;
    this.#clock = parts.clock;
    this.#steps = new ClockSteps(parts.clock);
    this.#owner = parts.owner;
    this.#ownerState = parts.ownerState;
  }

  /**
   * Runs work as a job of this process (see `runOwned`). Throws refused() when a job of this kind
   * is already running.
   */
  async run<Report>(
    request: JobRequest,
    signal: AbortSignal,
    work: JobWork<Report>,
  ): Promise<Report> {
    const begun = await this.begin(request);
    if ('running' in begun) throw refused(alreadyRuns(begun.running));
    return this.runOwned(begun.id, signal, work);
  }

  /**
   * Records a new job without running its work, and returns its id. Afterwards, another process
   * must `adopt` the job, or the caller must call `markInterrupted`. If a job of this kind is
   * already running, returns that job instead.
   */
  begin(request: JobRequest): Promise<{ id: number } | { running: Job }> {
    return this.#records.begin(request, this.#owner, (job) => this.#isDead(job));
  }

  /**
   * Makes this process the owner of a running job that another process began. Returns null when the
   * job is not running.
   */
  adopt(id: number): Promise<JobRecord | null> {
    return this.#records.adopt(id, this.#owner);
  }

  /**
   * Runs the work of a job that this process owns. Returns the work's return value, and stores it
   * as the job's report. The state of the job afterwards:
   * - done, if the work returned, even if a stop was requested meanwhile;
   * - interrupted, if the work threw and `signal` was aborted with `Interrupted`;
   * - stopped, if the work threw after a stop was requested, or after another abort of `signal`;
   * - failed, if the work threw for any other reason.
   *
   * Throws the reason of the abort, or the error of the work. If this process stalls, another
   * process may end the job. The work can then write nothing more: its next write or heartbeat
   * throws `LeaseLost`.
   */
  async runOwned<Report>(id: number, signal: AbortSignal, work: JobWork<Report>): Promise<Report> {
    const asked = new AbortController();
    const onLost = (lost: LeaseLost) => asked.abort(lost);
    const lease = { id, owner: this.#owner, onLost };
    const heart = new Heartbeat(this.#records, lease, () => asked.abort(new StopRequested()));
    const either = AbortSignal.any([signal, asked.signal]);
    const progress = (next: JobProgress) => {
      heart.progress = next;
    };
    try {
      const report = await withLease(lease, () => work({ id, signal: either, progress }));
      await heart.end();
      if (!(await this.#records.finish(id, 'done', report, this.#owner))) throw new LeaseLost();
      return report;
    } catch (error) {
      await heart.end();
      // Ignore an error of recording the end: the error of the work is more important.
      const report = { error: messageOf(error) };
      const end = endOf(either);
      await this.#records.finish(id, end, report, this.#owner).catch(() => undefined);
      if (error instanceof LeaseLost) throw error;
      throw either.aborted ? either.reason : error;
    }
  }

  /**
   * Marks a job as interrupted after its process has ended. `reason` becomes the error in its
   * report.
   */
  async markInterrupted(id: number, reason: string): Promise<void> {
    await this.#records.finish(id, 'interrupted', { error: reason });
  }

  /** Lists jobs, newest first. Before that, marks jobs of dead processes as interrupted. */
  async list(filter: JobFilter, page: NewestPage): Promise<Job[]> {
    await this.#settle();
    return this.#records.list(filter, page);
  }

  /** Returns the newest job of each kind, ordered by kind. */
  async newestOfEachKind(): Promise<Job[]> {
    await this.#settle();
    return this.#records.newestOfEachKind();
  }

  /** Returns a job. Throws `not found`. */
  async get(id: number): Promise<JobRecord> {
    await this.#settle();
    const job = await this.#records.find(id);
    if (job === null) throw notFound();
    return job;
  }

  /**
   * Asks a job to stop, no matter which process runs it. The job stops within seconds. Throws
   * `not found`.
   */
  async stop(id: number, actor: Actor): Promise<void> {
    await this.get(id);
    await this.#records.requestStop(id, actor);
  }

  #settle(): Promise<void> {
    return this.#records.interruptDead((job) => this.#isDead(job));
  }

  async #isDead(job: Job): Promise<boolean> {
    const state = await this.#ownerState(job.owner);
    if (state !== 'unknown') return state === 'ended';
    // After a step of this machine's clock, the time of the last heartbeat comes from the old
    // clock. Wait for the next heartbeat.
    if (this.#steps.sinceLast() <= leaseMs) return false;
    const silentMs = this.#clock.now() - Date.parse(job.heartbeatAt);
    // A heartbeat in the future means that the clock was set back. Treat the difference as the time
    // without a heartbeat.
    return Math.abs(silentMs) > leaseMs;
  }
}

function endOf({ aborted, reason }: AbortSignal): JobState {
  if (!aborted) return 'failed';
  return reason instanceof Interrupted ? 'interrupted' : 'stopped';
}

function messageOf(error: unknown): string {
  return error instanceof CatalogError ? error.message : String(error);
}

function alreadyRuns({ id, kind, startedAt, actor }: Job): string {
  const who = actor.kind === 'system' ? 'the schedule' : actor.username;
  return `another ${kind} is running (job ${id}, started ${startedAt} by ${who}): wait for it to end, or stop it`;
}
