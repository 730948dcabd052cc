import type { Clock } from '../shared/clock.ts';
import { CatalogError, notFound, refused } from '../shared/errors.ts';
import type { NewestPage } from '../shared/newest-page.ts';
import { ClockSteps } from '../shared/processes/clock-steps.ts';
import { LeaseLost, withLease } from '../shared/processes/job-lease.ts';
import type { OwnerStateOf } from '../shared/processes/owner-state.ts';
import type { Actor } from '../shared/requests/actor.ts';
import { type AfterAttempt, afterAttempt, type LostAttempt } from './attempts.ts';
import { Heartbeat } from './heartbeat.ts';
import type { Job, JobProgress, JobRecord, JobState } from './job.ts';
import { type JobKind, kindsThatExclude } from './job-kind.ts';
import type { Attempts, JobFilter, JobRecords, JobRequest, JobRun, Judge } from './ports.ts';
import { Interrupted, StopRequested } from './stop-reasons.ts';
import { isBusy, waitOutBusy } from './wait-out-busy.ts';

/** Milliseconds without a heartbeat after which a job's process is considered dead. */
const leaseMs = 30_000;
/** Milliseconds that a job waits for a server of its host. */
const hostMs = 60 * 60_000;
/** Time limits for recording the end of a job while the database is busy, in milliseconds. */
const recordMs = { done: 10 * 60_000, failure: 10_000 };

/** The attempts of a job that does not continue automatically. */
const once: Attempts = { attempts: 1, host: '', yieldsToQueued: false };

/** Describes a running job to the work of the job. */
export interface RunningJob {
  readonly id: number;
  /** Aborted when a user stops the job, or when the caller's signal is aborted. */
  readonly signal: AbortSignal;
  /** Sets the progress of the job. The next heartbeat stores it. */
  progress(progress: JobProgress): void;
  /** The last step that an earlier attempt stored; null for none. */
  readonly step: unknown;
  /**
   * Sets the last step that the work has completed, as JSON. The next heartbeat stores it. With
   * `atOnce`, resolves when the step is stored, or could not be stored yet.
   */
  keepStep(step: unknown, options?: { readonly atOnce: boolean }): Promise<void>;
}

export type JobWork<Report> = (job: RunningJob) => Promise<Report>;

/** A job that this process owns. */
export type OwnJob = Pick<JobRecord, 'id' | 'attempts' | 'step'>;

/**
 * Runs long-running work as jobs. Each job has a row in the database, and a lease that heartbeats
 * renew. At most one job of each kind runs at a time. A job whose process died or was stopped
 * waits for another attempt, unless none is left.
 */
export class Jobs {
  readonly #records: JobRecords;
  readonly #clock: Clock;
  readonly #steps: ClockSteps;
  readonly #owner: string;
  readonly #ownerState: OwnerStateOf;
  readonly #host: string;

  constructor(parts: {
    records: JobRecords;
    clock: Clock;
    owner: string;
    ownerState: OwnerStateOf;
    /** The name of this host, or "" if no other host can use the database. */
    host: string;
  }) {
    this.#records = parts.records;
    this.#clock = parts.clock;
    this.#steps = new ClockSteps(parts.clock);
    this.#owner = parts.owner;
    this.#ownerState = parts.ownerState;
    this.#host = parts.host;
  }

  /**
   * Runs work as a job of this process (see `runOwned`). The job has one attempt. Throws refused()
   * when a job of this kind is already running.
   */
  async run<Report>(
    request: JobRequest,
    signal: AbortSignal,
    work: JobWork<Report>,
  ): Promise<Report> {
    const begun = await this.begin(request);
    if ('running' in begun) throw refused(alreadyRuns(begun.running));
    return this.runOwned({ id: begun.id, attempts: 1, step: null }, signal, work);
  }

  /**
   * Records a new job without running its work, and returns its first run. Afterwards, another
   * process must `adopt` the run, or the caller must call `endRun`. If a job of this kind is
   * already running, or of a kind that excludes it, returns that job instead.
   */
  begin(request: JobRequest, attempts = once): Promise<JobRun | { running: Job }> {
    const excludedBy = kindsThatExclude(request.kind);
    return this.#records.begin({ ...request, excludedBy, ...attempts }, this.#owner, this.#judge);
  }

  /**
   * Begins the next attempt of a queued job that is due and that this host may run. Afterwards,
   * another process must `adopt` the run, or the caller must call `endRun`. Returns null if no job
   * is due.
   */
  async beginNext(): Promise<Job | null> {
    await this.#reconcile();
    return this.#records.beginNext(this.#owner, this.#host, kindsThatExclude);
  }

  /**
   * Makes this process the owner of a run that another process began. Returns null when that run is
   * over.
   */
  adopt(run: JobRun): Promise<JobRecord | null> {
    return this.#records.adopt(run, this.#owner);
  }

  /**
   * Runs the work of a job that this process owns. Returns the work's return value, and stores it
   * as the job's report. The state of the job afterwards:
   * - done, if the work returned, even if a stop was requested meanwhile;
   * - queued or interrupted, if the work threw and `signal` was aborted with `Interrupted`
   *   (`afterAttempt`);
   * - stopped, if the work threw after a stop was requested, or after another abort of `signal`;
   * - failed, if the work threw for any other reason.
   *
   * If the job has several attempts and the work throws busy(), the work runs again after a pause.
   *
   * Throws the reason of the abort, or the error of the work. If this process stalls, another
   * process may end the attempt. The work can then write nothing more: its next write or heartbeat
   * throws `LeaseLost`.
   */
  async runOwned<Report>(job: OwnJob, signal: AbortSignal, work: JobWork<Report>): Promise<Report> {
    const { id } = job;
    const stopRequest = new AbortController();
    const onLost = (lost: LeaseLost) => stopRequest.abort(lost);
    const lease = { id, owner: this.#owner, onLost };
    const onStop = () => stopRequest.abort(new StopRequested());
    const heart = new Heartbeat(this.#records, lease, job.step, onStop);
    const either = AbortSignal.any([signal, stopRequest.signal]);
    const progress = (next: JobProgress) => {
      heart.progress = next;
    };
    const keepStep = async (next: unknown, { atOnce } = { atOnce: false }) => {
      heart.step = next;
      if (atOnce) await heart.store();
    };
    const runWork = () =>
      withLease(lease, () => work({ id, signal: either, progress, step: heart.step, keepStep }));
    try {
      // A command does not wait: its user decides what to do.
      const report = await (job.attempts === 1 ? runWork() : waitOutBusy(runWork, either));
      await heart.store();
      if (!(await this.#finish(id, report))) throw new LeaseLost();
      return report;
    } catch (error) {
      await heart.store();
      // Ignore an error of recording the end: the error of the work is more important.
      await this.#recordFailure(job, error, either).catch(() => undefined);
      if (error instanceof LeaseLost) throw error;
      throw either.aborted ? either.reason : error;
    } finally {
      await heart.end();
    }
  }

  /**
   * Ends a run whose process has ended without ending the job. Returns the state of the job
   * afterwards. Returns null if the run was already over.
   */
  endRun(run: JobRun, lost: LostAttempt): Promise<AfterAttempt | null> {
    return this.#records.endAttempt(run, (job) => afterAttempt(job, lost));
  }

  /**
   * Ends the attempts of jobs that this process began but does not run, because the database was
   * unreachable at their beginning or end. `runs` returns true if this process runs the job.
   */
  endStrays(runs: (id: number) => boolean): Promise<void> {
    return this.#records.reconcile(async (job) => {
      if (job.state !== 'running' || job.owner !== this.#owner || runs(job.id)) return null;
      return afterAttempt(job, {
        reason: 'the database was unreachable',
        wasStoppedByServer: false,
      });
    });
  }

  /** Lists jobs, newest first. Before that, ends the attempts of dead processes. */
  async list(filter: JobFilter, page: NewestPage): Promise<Job[]> {
    await this.#reconcile();
    return this.#records.list(filter, page);
  }

  /** Returns the newest job of each kind, ordered by kind. */
  async newestOfEachKind(): Promise<Job[]> {
    await this.#reconcile();
    return this.#records.newestOfEachKind();
  }

  /** Returns a job. Throws `not found`. */
  async get(id: number): Promise<JobRecord> {
    await this.#reconcile();
    const job = await this.#records.find(id);
    if (job === null) throw notFound();
    return job;
  }

  /**
   * Returns the time at which a job failed or was interrupted, in milliseconds since 1970. Returns
   * null for a job in any other state. Throws `not found`.
   */
  async failedAt(id: number): Promise<number | null> {
    const { state, finishedAt } = await this.get(id);
    const hasFailed = state === 'failed' || state === 'interrupted';
    return hasFailed && finishedAt !== null ? Date.parse(finishedAt) : null;
  }

  /** Returns true if a job of one of these kinds is running or waits for another attempt. */
  async isAnyUnended(kinds: readonly JobKind[]): Promise<boolean> {
    await this.#reconcile();
    for (const kind of kinds) {
      for (const state of ['running', 'queued']) {
        const page = { limit: 1, before: null };
        if ((await this.#records.list({ state, kind }, page)).length > 0) return true;
      }
    }
    return false;
  }

  /**
   * Returns when a job of one of these kinds last ended, in milliseconds since 1970. Returns null
   * if none has ended, or if the newest one of a kind has not.
   */
  async lastEndedAt(kinds: readonly JobKind[]): Promise<number | null> {
    await this.#reconcile();
    const ends = (await this.#records.newestOfEachKind())
      .filter(({ kind }) => kinds.some((one) => one === kind))
      .map(({ finishedAt }) => finishedAt);
    if (ends.length === 0 || ends.includes(null)) return null;
    return Math.max(...ends.map((at) => Date.parse(at ?? '')));
  }

  /**
   * Requests that a job stops, no matter which process runs it. A running job stops within seconds,
   * and a queued job at once. Throws `not found`.
   */
  async stop(id: number, actor: Actor): Promise<void> {
    await this.get(id);
    await this.#records.requestStop(id, actor, messageOf(new StopRequested()));
  }

  /** Records that a job is done. Returns false if the job's lease was lost. */
  #finish(id: number, report: unknown): Promise<boolean> {
    let mayBeDone = false;
    const finish = async () => {
      try {
        if (await this.#records.finish(id, 'done', report, this.#owner)) return true;
      } catch (error) {
        mayBeDone ||= isBusy(error) && error.outcomeUnknown;
        throw error;
      }
      const job = mayBeDone ? await this.#records.find(id) : null;
      return job?.state === 'done' && job.owner === this.#owner;
    };
    return waitOutBusy(finish, AbortSignal.timeout(recordMs.done));
  }

  /** Records the state of a job after its work threw an error. */
  async #recordFailure(job: OwnJob, error: unknown, signal: AbortSignal): Promise<void> {
    const { id, attempts } = job;
    const owner = this.#owner;
    const lost = lostBy(error, signal, attempts);
    const record = async () => {
      if (lost !== null)
        await this.#records.endAttempt({ id, owner }, (now) => afterAttempt(now, lost));
      else await this.#records.finish(id, endOf(signal), { error: messageOf(error) }, owner);
    };
    await waitOutBusy(record, AbortSignal.timeout(recordMs.failure));
  }

  #reconcile(): Promise<void> {
    return this.#records.reconcile(this.#judge);
  }

  readonly #judge: Judge = async (job) => {
    if (job.state === 'queued') return this.#isForsaken(job) ? forsaken(job) : null;
    if (!(await this.#isDead(job))) return null;
    return afterAttempt(job, {
      reason: 'its process died or stood still',
      wasStoppedByServer: false,
    });
  };

  /** Returns true if a queued job waits for a host that has not run a server for a long time. */
  #isForsaken({ host, heartbeatAt }: Job): boolean {
    if (host === '' || host === this.#host || this.#steps.sinceLast() <= hostMs) return false;
    return this.#clock.now() - Date.parse(heartbeatAt) > hostMs;
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

/**
 * Returns a lost attempt if the job may continue after this error. Returns null if the error ends
 * the job.
 */
function lostBy(
  error: unknown,
  { aborted, reason }: AbortSignal,
  attempts: number,
): LostAttempt | null {
  if (reason instanceof Interrupted)
    return { reason: reason.message, wasStoppedByServer: reason.wasStoppedByServer };
  if (aborted || attempts === 1 || !isBusy(error)) return null;
  return { reason: messageOf(error), wasStoppedByServer: false };
}

function forsaken({ host }: Job): AfterAttempt {
  const reason = `it can only go on at the host ${host}, which ran no server for an hour`;
  return { state: 'interrupted', reason };
}

function endOf({ aborted }: AbortSignal): JobState {
  return aborted ? 'stopped' : 'failed';
}

function messageOf(error: unknown): string {
  if (!(error instanceof CatalogError)) return String(error);
  return isBusy(error) && error.reason ? `${error.message}: ${error.reason}` : error.message;
}

function alreadyRuns({ id, kind, startedAt, actor }: Job): string {
  const who = actor.kind === 'system' ? 'the schedule' : actor.username;
  return `another ${kind} is running (job ${id}, started ${startedAt} by ${who}): wait for it to end, or stop it`;
}
