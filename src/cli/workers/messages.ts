import type { AddressInfo } from 'node:net';

/** A worker says that it serves, asks for the password of the first admin, or sends its figures as they were asked for. */
export type FromWorker =
  | { readonly kind: 'serving'; readonly serving: Serving }
  | { readonly kind: 'admin password?' }
  | { readonly kind: 'figures'; readonly id: number; readonly figures: readonly object[] | null };

/** A worker is asked for its figures, or told the password that it asked for. */
export type ToWorker =
  | { readonly kind: 'figures'; readonly id: number }
  | { readonly kind: 'admin password'; readonly password: string | undefined };

/** Where a server is. */
export interface Serving {
  readonly address: AddressInfo;
  /** Where people reach it. */
  readonly urls: readonly string[];
}
