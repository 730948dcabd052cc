import type { HashAlgorithm } from '../core/uploads/ports.ts';

/** Messages to the thread. The bytes of an `update` are in shared memory. */
export type HashRequest =
  | { readonly action: 'start'; readonly id: number; readonly algorithm: HashAlgorithm }
  | { readonly action: 'copy'; readonly id: number; readonly to: number }
  | { readonly action: 'update'; readonly ids: readonly number[]; readonly bytes: Uint8Array }
  | { readonly action: 'end' | 'drop'; readonly id: number };
/**
 * Messages from the thread, in the order of the requests: null for each `update`, the digest for
 * each `end`.
 */
export type HashReply = Uint8Array | null;
