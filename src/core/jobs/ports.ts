import type { NewestPage } from '../shared/newest-page.ts';
import type { Actor } from '../shared/requests/actor.ts';
import type { AfterAttempt } from './attempts.ts';
import type { Job, JobOptions, JobProgress, JobRecord, JobState } from './job.ts';
import type { DueTime } from './next-due.ts';

/** A job to start. `actor` is the user or program that starts it. */
export interface JobRequest {
  readonly kind: string;
  readonly options: JobOptions;
  readonly actor: Actor;
}

/** The number of attempts of a job, and the host that may run it. */
export interface Attempts {
  /** Maximum number of attempts. A job with one attempt does not continue automatically. */
  readonly attempts: number;
  /** The only host that may run the job; "" for any host. */
  readonly host: string;
  /** True if the job cannot begin while another job of its kind waits for its next attempt. */
  readonly yieldsToQueued: boolean;
  /** True if a server of another host begins even the first attempt. */
  readonly isElsewhere?: boolean;
}

/** A job that begins unless a job of its kind, or of a kind in `excludedBy`, is running. */
export interface NewJob extends JobRequest, Attempts {
  readonly excludedBy?: readonly string[];
}

/** One run of a job. Each time a process begins the job, `run` has another value. */
export interface JobRun {
  readonly id: number;
  readonly run: number;
}

/**
 * Decides about a job that has not ended. Returns its new state if its process is dead, or if no
 * server will run it. Returns null if nothing happens to the job.
 */
export type Judge = (job: Job) => Promise<AfterAttempt | null>;

/** Selects jobs by state and kind. A field that is "" matches every job. */
export interface JobFilter {
  readonly state: string;
  readonly kind: string;
}

export interface JobRecords {
  /**
   * Records a new job and returns its first run, unless a running job prevents it. First applies
   * `judge` to the unended jobs of its kind and of `excludedBy`. Returns the job that still
   * prevents the new one, if there is one. Everything happens in one transaction. If `isElsewhere`
   * is set, the job is queued and due.
   */
  begin(request: NewJob, owner: string, judge: Judge): Promise<JobRun | { running: Job }>;
  /**
   * Makes `owner` begin the next attempt of a queued job, and returns the job. The job is due, may
   * run on this host, and has no running job of its kind or of the kinds that `excludedBy` returns
   * for it. Returns null if there is no such job. Each attempt is begun by one caller only.
   */
  beginNext(
    owner: string,
    host: string,
    excludedBy: (kind: string) => readonly string[],
  ): Promise<Job | null>;
  /**
   * Makes `owner` the owner of a run, and returns the job. Returns null when the run is over.
   */
  adopt(run: JobRun, owner: string): Promise<JobRecord | null>;
  /**
   * Records the progress, the step unless it is missing, and that the owner is alive. `isStopping`
   * is true if a user requested a stop. Returns null when the job is not running or has
   * another owner. The write is a single statement, so that no lock is held while the owner
   * computes.
   */
  heartbeat(
    id: number,
    owner: string,
    state: { readonly progress: JobProgress | null; readonly step?: unknown },
  ): Promise<{ isStopping: boolean } | null>;
  /**
   * Ends a running job and returns true. Returns false, without a change, if the job is not
   * running, or if `owner` is passed and does not own the job.
   */
  finish(id: number, state: JobState, report: unknown, owner?: string): Promise<boolean>;
  /**
   * Ends the current attempt of a running job. `decide` returns the state of the job afterwards.
   * Returns null, without a change, if the job is not running, or not in this run or by this owner.
   */
  endAttempt(
    which: JobRun | { readonly id: number; readonly owner: string },
    decide: (job: Job) => AfterAttempt,
  ): Promise<AfterAttempt | null>;
  /**
   * Requests that a running job stops. Stops a queued job, with `reason` as the reason. Does
   * nothing to a job that has ended.
   */
  requestStop(id: number, actor: Actor, reason: string): Promise<void>;
  /** Applies `judge` to all jobs that have not ended. */
  reconcile(judge: Judge): Promise<void>;
  /** Lists jobs, newest first. */
  list(filter: JobFilter, page: NewestPage): Promise<Job[]>;
  /** Returns the newest job of each kind, ordered by kind. */
  newestOfEachKind(): Promise<Job[]>;
  find(id: number): Promise<JobRecord | null>;
}

/** Runs each job in a separate process. */
export interface JobProcesses {
  /**
   * Runs the process for a run of a job. When that process has ended, resolves to a description of
   * how it ended, for display. Never rejects.
   */
  run(run: JobRun): Promise<string>;
  /**
   * Stops all processes. Kills each process that still runs after `withinMs` milliseconds.
   */
  close(withinMs: number): Promise<void>;
}

/** The time at which jobs of one kind start automatically. */
export interface StoredSchedule extends DueTime {
  readonly kind: string;
  readonly isOn: boolean;
}

export type ScheduleChange = Partial<Omit<StoredSchedule, 'kind'>>;

export interface ScheduleRecords {
  /**
   * Returns the stored schedules, including those of kinds that are unknown to this version of the
   * program.
   */
  list(): Promise<StoredSchedule[]>;
  /**
   * Changes the stored schedule of the kind `schedule.kind`. If no schedule of this kind is stored
   * yet, stores `schedule` with the change. A start that was due before the change can no longer be
   * claimed.
   */
  change(schedule: StoredSchedule, change: ScheduleChange, actor: Actor): Promise<void>;
  /**
   * Claims the right to make the start that was due at `due`. Returns false when another process
   * has already claimed that start, or when the schedule is now off. Times are timestamps.
   */
  claim(kind: string, due: string, now: string): Promise<boolean>;
}
