import type { AddressInfo } from 'node:net';

/** What a worker tells: that it serves, or its figures as they were asked for. */
export type FromWorker =
  | { readonly kind: 'serving'; readonly serving: Serving }
  | { readonly kind: 'figures'; readonly id: number; readonly figures: readonly object[] | null };

/** What it is asked for. */
export interface ToWorker {
  readonly kind: 'figures';
  readonly id: number;
}

/** Where a server is. */
export interface Serving {
  readonly address: AddressInfo;
  /** Where people reach it. */
  readonly urls: readonly string[];
}
