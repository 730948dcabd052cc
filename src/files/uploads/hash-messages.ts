import type { HashAlgorithm } from '../../core/uploads/ports.ts';

/** Messages to the hashing thread. The bytes of an `update` are in shared memory. */
export type HashRequest =
  | { readonly action: 'start'; readonly id: number; readonly algorithm: HashAlgorithm }
  | { readonly action: 'copy'; readonly id: number; readonly to: number }
  | { readonly action: 'update'; readonly ids: readonly number[]; readonly bytes: Uint8Array }
  | { readonly action: 'end' | 'drop'; readonly id: number };
/**
 * Messages from the hashing thread: null for each `update`, the digest for each `end`. The messages
 * are in the order of the requests.
 */
export type HashReply = Uint8Array | null;
