import type { Actor } from '../shared/actor.ts';

/** `interrupted`: its process died or was told to end; `stopped`: a user asked for it. */
export const jobStates = ['running', 'done', 'failed', 'stopped', 'interrupted'] as const;

export type JobState = (typeof jobStates)[number];

/** The options of a job, in the words of the API. */
export type JobOptions = Readonly<Record<string, unknown>>;

/** Progress of long work, in a form that all kinds share. */
export interface JobProgress {
  /** The current phase in one word; a new phase restarts `done`. */
  readonly phase: string;
  readonly done: number;
  readonly total: number;
  /** The unit of `done` and `total`. */
  readonly unit: 'bytes' | 'files' | 'releases' | 'images' | 'covers' | 'rows';
  /** The current file, release or table; "" for none. */
  readonly name: string;
}

/** A piece of long-running work. */
export interface Job {
  readonly id: number;
  /** The kind of work, e.g. `import`; at most one job of a kind runs at a time. */
  readonly kind: string;
  readonly state: JobState;
  readonly actor: Actor;
  readonly startedAt: string;
  /** The process that runs it: host, process id and a random part. */
  readonly owner: string;
  /** When the owner last said that it is alive. */
  readonly heartbeatAt: string;
  readonly finishedAt: string | null;
  /** Whether a user asked it to stop. */
  readonly isStopping: boolean;
  /** The progress that the owner last reported. */
  readonly progress: JobProgress | null;
}

/** A job with its options and its result. */
export interface JobRecord extends Job {
  readonly options: JobOptions;
  /** The return value of the work; `{error}` if it threw; null until it ends. */
  readonly report: unknown;
}
