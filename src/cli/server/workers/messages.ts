import type { AddressInfo } from 'node:net';

/**
 * Messages from a worker: a notice that the worker serves requests, a request for the first admin's
 * password, or the worker's metrics. `figures` is null if the worker could not collect metrics.
 */
export type FromWorker =
  | { readonly kind: 'serving'; readonly serving: Serving }
  | { readonly kind: 'admin password?' }
  | { readonly kind: 'figures'; readonly id: number; readonly figures: readonly object[] | null };

/**
 * Messages to a worker: a request for the worker's metrics, or the password that the worker
 * requested.
 */
export type ToWorker =
  | { readonly kind: 'figures'; readonly id: number }
  | { readonly kind: 'admin password'; readonly password: string | undefined };

/** The address and URLs of a running server. */
export interface Serving {
  readonly address: AddressInfo;
  /** URLs that are shown to users. */
  readonly urls: readonly string[];
}
