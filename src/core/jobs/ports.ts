import type { Actor } from '../shared/actor.ts';
import type { NewestPage } from '../shared/newest-page.ts';
import type { Job, JobOptions, JobProgress, JobRecord, JobState } from './job.ts';
import type { DueTime } from './next-due.ts';

/** A job to start, and the actor it is for. */
export interface JobRequest {
  readonly kind: string;
  readonly options: JobOptions;
  readonly actor: Actor;
}

/** Which jobs to list; "" for all. */
export interface JobFilter {
  readonly state: string;
  readonly kind: string;
}

export interface JobRecords {
  /**
   * Starts a job of the kind, checking for running jobs in the same transaction. First marks a
   * running job interrupted if `isDead` says its owner is dead. Returns the new job's id, or the
   * job that is already running.
   */
  begin(
    request: JobRequest,
    owner: string,
    isDead: (running: Job) => Promise<boolean>,
  ): Promise<{ id: number } | { running: Job }>;
  /** Makes another process the owner of a running job; null when the job is not running. */
  adopt(id: number, owner: string): Promise<JobRecord | null>;
  /**
   * Records the progress and that the owner is alive. It is a single statement, so that nothing
   * stays locked while the owner computes. Returns whether a user asked the job to stop; null when
   * it is not running or has another owner.
   */
  heartbeat(
    id: number,
    owner: string,
    progress: JobProgress | null,
  ): Promise<{ isStopping: boolean } | null>;
  /**
   * Ends a running job and returns true. Returns false, without a change, if it is not running or
   * if `owner` is given and is not its owner.
   */
  finish(id: number, state: JobState, report: unknown, owner?: string): Promise<boolean>;
  /** Asks a running job to stop; does nothing to a job that is not running. */
  requestStop(id: number, actor: Actor): Promise<void>;
  /** Marks running jobs interrupted if `isDead` says their owner is dead. */
  interruptDead(isDead: (running: Job) => Promise<boolean>): Promise<void>;
  /** Newest first. */
  list(filter: JobFilter, page: NewestPage): Promise<Job[]>;
  /** Ordered by kind. */
  newestOfEachKind(): Promise<Job[]>;
  find(id: number): Promise<JobRecord | null>;
}

/** Starts jobs in processes of their own. */
export interface JobProcesses {
  /**
   * Resolves when the job's process has ended, with a description of its exit for display; never
   * rejects.
   */
  run(id: number): Promise<string>;
  /** Asks all processes to end, and kills those that are left after `withinMs`. */
  close(withinMs: number): Promise<void>;
}

/** When a kind of job starts automatically. */
export interface StoredSchedule extends DueTime {
  readonly kind: string;
  readonly isOn: boolean;
}

export type ScheduleChange = Partial<Omit<StoredSchedule, 'kind'>>;

export interface ScheduleRecords {
  /** Returns one schedule for each kind that can have one. */
  list(): Promise<StoredSchedule[]>;
  /**
   * Does nothing for a kind without a schedule. A start that was due before the change can no
   * longer be claimed.
   */
  change(kind: string, change: ScheduleChange, actor: Actor): Promise<void>;
  /**
   * Claims the start that was due at `due`. Returns false when it was already claimed, or the
   * schedule is off by now. Times are timestamps.
   */
  claim(kind: string, due: string, now: string): Promise<boolean>;
}
