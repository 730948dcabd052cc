import type { NewestPage } from '../shared/newest-page.ts';
import type { Actor } from '../shared/requests/actor.ts';
import type { Job, JobOptions, JobProgress, JobRecord, JobState } from './job.ts';
import type { DueTime } from './next-due.ts';

/** A job to start. `actor` is the user or program that starts it. */
export interface JobRequest {
  readonly kind: string;
  readonly options: JobOptions;
  readonly actor: Actor;
}

/** Selects jobs by state and kind. A field that is "" matches every job. */
export interface JobFilter {
  readonly state: string;
  readonly kind: string;
}

export interface JobRecords {
  /**
   * Records a new job of this kind and returns its id, unless a job of this kind is running. A
   * running job is first marked as interrupted if `isDead` resolves to true for it. If a job is
   * still running after that, returns that job. Everything happens in one transaction.
   */
  begin(
    request: JobRequest,
    owner: string,
    isDead: (running: Job) => Promise<boolean>,
  ): Promise<{ id: number } | { running: Job }>;
  /**
   * Makes `owner` the owner of a running job, and returns the job. Returns null when the job is not
   * running.
   */
  adopt(id: number, owner: string): Promise<JobRecord | null>;
  /**
   * Records the progress, and that the owner is alive. `isStopping` is true if a user asked the job
   * to stop. Returns null when the job is not running or has another owner. The write is a single
   * statement, so that no lock is held while the owner computes.
   */
  heartbeat(
    id: number,
    owner: string,
    progress: JobProgress | null,
  ): Promise<{ isStopping: boolean } | null>;
  /**
   * Ends a running job and returns true. Returns false, without a change, if the job is not
   * running, or if `owner` is passed and does not own the job.
   */
  finish(id: number, state: JobState, report: unknown, owner?: string): Promise<boolean>;
  /** Asks a running job to stop; does nothing to a job that is not running. */
  requestStop(id: number, actor: Actor): Promise<void>;
  /** Marks a running job as interrupted if `isDead` resolves to true for it. */
  interruptDead(isDead: (running: Job) => Promise<boolean>): Promise<void>;
  /** Lists jobs, newest first. */
  list(filter: JobFilter, page: NewestPage): Promise<Job[]>;
  /** Returns the newest job of each kind, ordered by kind. */
  newestOfEachKind(): Promise<Job[]>;
  find(id: number): Promise<JobRecord | null>;
}

/** Runs each job in a separate process. */
export interface JobProcesses {
  /**
   * Runs the process of a job. When that process has ended, resolves to a description of how it
   * ended, for display. Never rejects.
   */
  run(id: number): Promise<string>;
  /**
   * Asks all processes to end. Kills each process that still runs after `withinMs` milliseconds.
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
