import cluster, { type Worker } from 'node:cluster';

/** Returns this process as a cluster worker; null if the server has only one process. */
export function ownWorker(): Worker | null {
  return cluster.worker ?? null;
}
