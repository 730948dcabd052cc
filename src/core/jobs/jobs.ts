import type { Actor } from '../shared/actor.ts';
import type { Clock } from '../shared/clock.ts';
import { ClockSteps } from '../shared/clock-steps.ts';
import { CatalogError, notFound, refused } from '../shared/errors.ts';
import { LeaseLost, underLease } from '../shared/job-lease.ts';
import type { NewestPage } from '../shared/newest-page.ts';
import type { OwnerStateOf } from '../shared/owner-state.ts';
import { Heartbeat } from './heartbeat.ts';
import type { Job, JobProgress, JobRecord, JobState } from './job.ts';
import type { JobFilter, JobRecords, JobRequest } from './ports.ts';
import { Interrupted, StopAsked } from './stop-reasons.ts';

/** A job's process without a heartbeat for this long is considered dead, in milliseconds. */
const leaseMs = 30_000;

/** Passed to running work. */
export interface RunningJob {
  readonly id: number;
  /** Aborted when a user asks the job to stop, or when the caller's signal is. */
  readonly signal: AbortSignal;
  /** Sets the progress; written with the next heartbeat. */
  progress(progress: JobProgress): void;
}

export type JobWork<Report> = (job: RunningJob) => Promise<Report>;

/**
 * Long-running work: one row in the database, a lease with heartbeat, one job of a kind at a time.
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
   * Runs work as a job of this process (see `carryOut`). Throws refused() when a job of the kind is
   * already running.
   */
  async run<Report>(
    request: JobRequest,
    signal: AbortSignal,
    work: JobWork<Report>,
  ): Promise<Report> {
    const begun = await this.begin(request);
    if ('running' in begun) throw refused(alreadyRuns(begun.running));
    return this.carryOut(begun.id, signal, work);
  }

  /**
   * Begins a job without working on it: another process will `adopt` it, or the caller must
   * `giveUp`.
   */
  begin(request: JobRequest): Promise<{ id: number } | { running: Job }> {
    return this.#records.begin(request, this.#owner, (job) => this.#isDead(job));
  }

  /** Takes a running job over from the process that began it; null when it is not running. */
  adopt(id: number): Promise<JobRecord | null> {
    return this.#records.adopt(id, this.#owner);
  }

  /**
   * Does the work of a job of this process and stores its return value as the job's report. Work
   * that returns is done, even if a stop was requested too late. Work that throws marks the job
   * stopped if a stop was requested, or interrupted if `signal` was aborted with `Interrupted`.
   * Otherwise it marks the job failed. The error, or the reason of the stop, is rethrown to the
   * caller. If the job was ended meanwhile because its process stalled, the work writes nothing
   * more. It throws `LeaseLost` at its next write or heartbeat.
   */
  async carryOut<Report>(id: number, signal: AbortSignal, work: JobWork<Report>): Promise<Report> {
    const asked = new AbortController();
    const onLost = (lost: LeaseLost) => asked.abort(lost);
    const lease = { id, owner: this.#owner, onLost };
    const heart = new Heartbeat(this.#records, lease, () => asked.abort(new StopAsked()));
    const either = AbortSignal.any([signal, asked.signal]);
    const progress = (next: JobProgress) => {
      heart.progress = next;
    };
    try {
      const report = await underLease(lease, () => work({ id, signal: either, progress }));
      await heart.end();
      if (!(await this.#records.finish(id, 'done', report, this.#owner))) throw new LeaseLost();
      return report;
    } catch (error) {
      await heart.end();
      // The work's own error matters more than an error of recording it.
      const report = { error: messageOf(error) };
      const end = endOf(either);
      await this.#records.finish(id, end, report, this.#owner).catch(() => undefined);
      if (error instanceof LeaseLost) throw error;
      throw either.aborted ? either.reason : error;
    }
  }

  /** Ends a job whose process is gone. */
  async giveUp(id: number, reason: string): Promise<void> {
    await this.#records.finish(id, 'interrupted', { error: reason });
  }

  /** Newest first. Jobs whose process died are marked interrupted first. */
  async list(filter: JobFilter, page: NewestPage): Promise<Job[]> {
    await this.#settle();
    return this.#records.list(filter, page);
  }

  /** Returns the newest job of each kind, ordered by kind. */
  async newestOfEachKind(): Promise<Job[]> {
    await this.#settle();
    return this.#records.newestOfEachKind();
  }

  /** Throws `not found`. */
  async get(id: number): Promise<JobRecord> {
    await this.#settle();
    const job = await this.#records.find(id);
    if (job === null) throw notFound();
    return job;
  }

  /**
   * Asks a job to stop, in whichever process it runs; it stops within seconds. Throws `not found`.
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
    // The last heartbeat used the clock before its step; a live process soon sends one by the new
    // clock.
    if (this.#steps.sinceLast() <= leaseMs) return false;
    const silentMs = this.#clock.now() - Date.parse(job.heartbeatAt);
    // A heartbeat in the future means that the clock was set back; it counts as silence of the same
    // length.
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
