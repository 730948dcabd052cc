import type { Actor } from '../shared/actor.ts';

/** `interrupted`: its process died or was told to end; `stopped`: somebody asked for it. */
export const jobStates = ['running', 'done', 'failed', 'stopped', 'interrupted'] as const;

export type JobState = (typeof jobStates)[number];

/** What a job was asked to do beside its kind, in the words of the API. */
export type JobOptions = Readonly<Record<string, unknown>>;

/** How far long work is, in the form that all kinds share. */
export interface JobProgress {
  /** What is being done, one word; another one starts `done` anew. */
  readonly phase: string;
  readonly done: number;
  readonly total: number;
  /** What `done` and `total` count. */
  readonly unit: 'bytes' | 'files' | 'releases' | 'images' | 'covers' | 'rows';
  /** The file, release or table in hand; "" for none. */
  readonly name: string;
}

/** A piece of long work, whoever started it. */
export interface Job {
  readonly id: number;
  /** What it does, e.g. `import`; at most one job of a kind runs at a time. */
  readonly kind: string;
  readonly state: JobState;
  readonly actor: Actor;
  readonly startedAt: string;
  /** The process that runs it: host, process id and a random part. */
  readonly owner: string;
  /** When the owner last said that it is alive. */
  readonly heartbeatAt: string;
  readonly finishedAt: string | null;
  /** Somebody asked it to stop. */
  readonly isStopping: boolean;
  /** As far as the owner last told. */
  readonly progress: JobProgress | null;
}

/** A job with what it was asked and what came of it. */
export interface JobRecord extends Job {
  readonly options: JobOptions;
  /** What the work of the kind returns; `{error}` of work that threw; null until it ends. */
  readonly report: unknown;
}
