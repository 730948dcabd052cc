import { AsyncLocalStorage } from 'node:async_hooks';
import { CatalogError } from '../errors.ts';

/**
 * The right of a job's work to write data. The lease is valid while the job's row in the database
 * says that the job is running and that `owner` runs the job.
 */
export interface JobLease {
  /** Id of the job. */
  readonly id: number;
  /** The process that runs the job, as stored in the job's row. */
  readonly owner: string;
  /** Called when a write detects for the first time that the lease was lost. */
  readonly onLost: (lost: LeaseLost) => void;
}

/**
 * Thrown when the lease of a job was lost. The job's process had stalled, and meanwhile the job was
 * ended or taken over by another process.
 */
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
 * Runs work of a job under the job's lease. Everything that the work starts is also under the
 * lease. Every transaction that writes data checks that the lease is still valid.
 */
export function withLease<T>(lease: JobLease, work: () => T): T {
  return leases.run(lease, work);
}

/**
 * Runs work that does not need the lease of the job that started it. An example is work that
 * releases or recovers things, even after the job has ended.
 */
export function withoutLease<T>(work: () => T): T {
  return leases.run(undefined, work);
}

/**
 * Returns the lease of the job that the current work belongs to, or undefined if the work belongs
 * to no job.
 */
export function currentLease(): JobLease | undefined {
  return leases.getStore();
}
