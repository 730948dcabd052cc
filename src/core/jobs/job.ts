import type { Actor } from '../shared/requests/actor.ts';

/**
 * The states of a job. `queued`: the job waits for another attempt. `stopped`: a user stopped the
 * job. `interrupted`: the job's process died or was stopped, and no attempt is left.
 */
export const jobStates = ['queued', 'running', 'done', 'failed', 'stopped', 'interrupted'] as const;

export type JobState = (typeof jobStates)[number];

/** The units in which the progress of a job can be counted. */
export const progressUnits = ['bytes', 'files', 'releases', 'images', 'covers', 'rows'] as const;

/** The options of a job, named as in the API. */
export type JobOptions = Readonly<Record<string, unknown>>;

/** Progress of long-running work, in one format for all kinds of jobs. */
export interface JobProgress {
  /** The current phase, in one word. With each phase, `done` starts at 0. */
  readonly phase: string;
  readonly done: number;
  /** 0 if it is not known. */
  readonly total: number;
  /** The unit of `done` and `total`. */
  readonly unit: (typeof progressUnits)[number];
  /** Name of the current file, release or table; "" for none. */
  readonly name: string;
}

/** A piece of long-running work. */
export interface Job {
  readonly id: number;
  /**
   * The kind of work, such as `import`. At most one job of each kind runs at a time. The type is
   * `string`, because other versions of the program may have other kinds.
   */
  readonly kind: string;
  readonly state: JobState;
  readonly actor: Actor;
  readonly startedAt: string;
  /** The process that runs the job, identified by its host, its process id and a random part. */
  readonly owner: string;
  /** Time of the last heartbeat from the job's process, as a timestamp. */
  readonly heartbeatAt: string;
  readonly finishedAt: string | null;
  /** True if a user requested a stop. */
  readonly isStopping: boolean;
  /** The last progress that the job's process reported; null before the first report. */
  readonly progress: JobProgress | null;
  /**
   * Number of the current attempt, or of the attempt that the job waits for. The first one is 1.
   */
  readonly attempt: number;
  /** Maximum number of attempts. */
  readonly attempts: number;
  /** The number of times that a process began the job. The number identifies a run. */
  readonly run: number;
  /** The only host that may run the job; "" for any host. */
  readonly host: string;
  /**
   * The reason why the job ended in another state than `done`, or why its last attempt ended. Null
   * if there is no such reason. Lists truncate it to `maxReason` characters.
   */
  readonly reason: string | null;
  /** The id of the set that a build uses; null for other kinds of jobs. */
  readonly setId: number | null;
}

/** Maximum number of characters of a job's reason. The report contains the whole reason. */
export const maxReason = 500;

/** A job with its options and its result. */
export interface JobRecord extends Job {
  readonly options: JobOptions;
  /**
   * The return value of the work, or `{error}` if the work failed. Between two attempts and during
   * the next one, `{error}` states why the last one ended. Otherwise null until the job ends.
   */
  readonly report: unknown;
  /** The last step that the work completed, in a form that depends on the kind; null for none. */
  readonly step: unknown;
}
