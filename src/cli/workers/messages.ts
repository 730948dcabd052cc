import type { AddressInfo } from 'node:net';

/**
 * Messages of a worker: it serves, it asks for the first admin's password, or it sends its metrics
 * on request.
 */
export type FromWorker =
  | { readonly kind: 'serving'; readonly serving: Serving }
  | { readonly kind: 'admin password?' }
  | { readonly kind: 'figures'; readonly id: number; readonly figures: readonly object[] | null };

/** Messages to a worker: a request for its metrics, or the password that it asked for. */
export type ToWorker =
  | { readonly kind: 'figures'; readonly id: number }
  | { readonly kind: 'admin password'; readonly password: string | undefined };

/** The addresses of a running server. */
export interface Serving {
  readonly address: AddressInfo;
  /** URLs for users. */
  readonly urls: readonly string[];
}
