import cluster, { type Worker } from 'node:cluster';

/** Returns this process as one of several workers, or null if it is not a worker. */
export function ownWorker(): Worker | null {
  return cluster.worker ?? null;
}
