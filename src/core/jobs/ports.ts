import type { Actor } from '../shared/actor.ts';
import type { NewestPage } from '../shared/newest-page.ts';
import type { Job, JobOptions, JobProgress, JobRecord, JobState } from './job.ts';
import type { DueTime } from './next-due.ts';

/** What is to be done, and for whom. */
export interface JobRequest {
  readonly kind: string;
  readonly options: JobOptions;
  readonly actor: Actor;
}

/** Which jobs a list is about; "" for all. */
export interface JobFilter {
  readonly state: string;
  readonly kind: string;
}

export interface JobRecords {
  /**
   * Starts a job of the kind, in one transaction with the look at what runs. A running one whose owner `isDead` says so
   * is marked interrupted first. Returns the new job's id, or the job that runs already.
   */
  begin(
    request: JobRequest,
    owner: string,
    isDead: (running: Job) => Promise<boolean>,
  ): Promise<{ id: number } | { running: Job }>;
  /** Makes another process the owner of a running job; null when it does not run. */
  adopt(id: number, owner: string): Promise<JobRecord | null>;
  /**
   * Records that the owner is alive and its progress, in one statement, so that nothing stays locked while the owner
   * computes. Returns whether a user asked the job to stop; null when it does not run or has another owner.
   */
  heartbeat(
    id: number,
    owner: string,
    progress: JobProgress | null,
  ): Promise<{ isStopping: boolean } | null>;
  /** Does nothing to a job that does not run, or has another owner than one that is named; returns whether it was ended. */
  finish(id: number, state: JobState, report: unknown, owner?: string): Promise<boolean>;
  /** Asks a running job to stop; does nothing to another one. */
  requestStop(id: number, actor: Actor): Promise<void>;
  /** Marks the running jobs interrupted whose owner `isDead` says so. */
  interruptDead(isDead: (running: Job) => Promise<boolean>): Promise<void>;
  /** Newest first. */
  list(filter: JobFilter, page: NewestPage): Promise<Job[]>;
  /** By kind. */
  newestOfEachKind(): Promise<Job[]>;
  find(id: number): Promise<JobRecord | null>;
}

/** Starts jobs in processes of their own. */
export interface JobProcesses {
  /** Resolves when the process that carries out the job has ended, with how it did, for people; never rejects. */
  run(id: number): Promise<string>;
  /** Tells all to end, and makes those end that are left after so many milliseconds. */
  close(withinMs: number): Promise<void>;
}

/** When a kind of job starts by itself. */
export interface StoredSchedule extends DueTime {
  readonly kind: string;
  readonly isOn: boolean;
}

export type ScheduleChange = Partial<Omit<StoredSchedule, 'kind'>>;

export interface ScheduleRecords {
  /** One of each kind that may have one. */
  list(): Promise<StoredSchedule[]>;
  /** Does nothing for a kind without one. What was due until now cannot be claimed any more. */
  change(kind: string, change: ScheduleChange, actor: Actor): Promise<void>;
  /** Takes what was due at a time; false when it was taken, or is off by now. Timestamps. */
  claim(kind: string, due: string, now: string): Promise<boolean>;
}
