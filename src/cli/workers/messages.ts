import type { AddressInfo } from 'node:net';

/**
 * Messages from a worker: that it serves requests, a request for the first admin's password, or its
 * metrics.
 */
export type FromWorker =
  | { readonly kind: 'serving'; readonly serving: Serving }
  | { readonly kind: 'admin password?' }
  | { readonly kind: 'figures'; readonly id: number; readonly figures: readonly object[] | null };

/** Messages to a worker: a request for its metrics, or the password that it requested. */
export type ToWorker =
  | { readonly kind: 'figures'; readonly id: number }
  | { readonly kind: 'admin password'; readonly password: string | undefined };

/** The address and URLs of a running server. */
export interface Serving {
  readonly address: AddressInfo;
  /** URLs that are shown to users. */
  readonly urls: readonly string[];
}
