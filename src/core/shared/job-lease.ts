import { AsyncLocalStorage } from 'node:async_hooks';
import { CatalogError } from './errors.ts';

/**
 * The right of a job's work to write: the job's row must say that it runs, and that this process
 * runs it.
 */
export interface JobLease {
  /** Id of the job. */
  readonly id: number;
  /** The owner in the job's row. */
  readonly owner: string;
  /** Called when a write first finds the lease gone. */
  readonly onLost: (lost: LeaseLost) => void;
}

/** The job was ended, or given to another process, while its own process was stalled. */
export class LeaseLost extends CatalogError {
  constructor() {
    super(
      'refused',
      'its process stood still for so long that the job was ended: what it wrote until then is kept, start it again',
    );
  }
}

const leases = new AsyncLocalStorage<JobLease | undefined>();

/**
 * Runs work, and everything that it starts, under a lease: it can write only while the lease holds.
 * Every engine's `write` checks this.
 */
export function underLease<T>(lease: JobLease, work: () => T): T {
  return leases.run(lease, work);
}

/**
 * Runs work that does not belong to a job, although a job started it. It gives back or settles what
 * is left, also after the job.
 */
export function withoutLease<T>(work: () => T): T {
  return leases.run(undefined, work);
}

/** Returns the lease of the job that the current work belongs to; undefined if there is none. */
export function currentLease(): JobLease | undefined {
  return leases.getStore();
}
