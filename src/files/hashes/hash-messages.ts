import type { HashAlgorithm } from '../../core/uploads/ports.ts';

/**
 * Messages to the hashing thread. The bytes of an `update` are in shared memory. The memory of the
 * pieces of a `transfer` is transferred to the thread.
 */
export type HashRequest =
  | { readonly action: 'start'; readonly id: number; readonly algorithm: HashAlgorithm }
  | { readonly action: 'copy'; readonly id: number; readonly to: number }
  | { readonly action: 'update'; readonly ids: readonly number[]; readonly bytes: Uint8Array }
  | { readonly action: 'transfer'; readonly id: number; readonly pieces: readonly Uint8Array[] }
  | { readonly action: 'end' | 'drop'; readonly id: number };
/**
 * Messages from the hashing thread: null for each `update` and `transfer`, the digest for each
 * `end`. The messages are in the order of the requests.
 */
export type HashReply = Uint8Array | null;
