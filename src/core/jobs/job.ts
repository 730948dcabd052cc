/** `interrupted`: its process died; `stopped`: somebody asked for it. */
export type JobState = 'running' | 'done' | 'failed' | 'stopped' | 'interrupted';

/** A piece of long work, whoever started it. */
export interface Job {
  readonly id: number;
  /** What it does, e.g. `import`; at most one job of a kind runs at a time. */
  readonly kind: string;
  readonly state: JobState;
  readonly startedBy: string;
  readonly startedAt: string;
  /** The process that runs it: host, process id and a random part. */
  readonly owner: string;
  /** When the owner last said that it is alive. */
  readonly heartbeatAt: string;
  readonly finishedAt: string | null;
}
