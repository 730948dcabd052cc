import type { Actor } from '../shared/actor.ts';
import type { Job, JobState } from './job.ts';

export interface JobRecords {
  /**
   * Starts a job of the kind, in one transaction with the look at what runs. Jobs whose owner `isDead` says so are
   * marked interrupted first. Returns the new job's id, or the job that runs already.
   */
  begin(
    kind: string,
    owner: string,
    actor: Actor,
    isDead: (running: Job) => boolean,
  ): Promise<{ id: number } | { running: Job }>;
  /** Says that the owner is alive, and how far it is. */
  heartbeat(id: number, progress: unknown): Promise<void>;
  finish(id: number, state: JobState, report: unknown): Promise<void>;
}

/** Whether the process that owns a job may still be alive, as far as this machine can tell. */
export type OwnerIsDead = (owner: string) => boolean;
