import cluster, { type Worker } from 'node:cluster';

/** This process as one of several workers; null when it is none. */
export function ownWorker(): Worker | null {
  return cluster.worker ?? null;
}
