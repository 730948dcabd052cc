import { AsyncLocalStorage } from 'node:async_hooks';
import { CatalogError } from './errors.ts';

/** The right of a job's work to write: its row says that it runs, and that this process runs it. */
export interface JobLease {
  /** Id of the job. */
  readonly id: number;
  /** As in the job's row. */
  readonly owner: string;
  /** Called with the first write that finds the lease gone. */
  readonly onLost: (lost: LeaseLost) => void;
}

/** The job was ended, or given to another process, while its own stood still. */
export class LeaseLost extends CatalogError {
  constructor() {
    super(
      'refused',
      'its process stood still for so long that the job was ended: what it wrote until then is kept, start it again',
    );
  }
}

const leases = new AsyncLocalStorage<JobLease | undefined>();

/** Runs work, and everything that it starts, so that it writes only while the lease holds: every engine's `write` checks it. */
export function underLease<T>(lease: JobLease, work: () => T): T {
  return leases.run(lease, work);
}

/** Runs work that is no job's, although one started it: it gives back or settles what is left, also after the job. */
export function withoutLease<T>(work: () => T): T {
  return leases.run(undefined, work);
}

/** The lease of the job that the present work belongs to; undefined where it belongs to none. */
export function currentLease(): JobLease | undefined {
  return leases.getStore();
}
