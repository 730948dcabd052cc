import type { HashAlgorithm } from '../core/uploads/ports.ts';

/** Messages to the thread. Their bytes are in shared memory. */
export type HashRequest =
  | { readonly action: 'start'; readonly id: number; readonly algorithm: HashAlgorithm }
  | { readonly action: 'copy'; readonly id: number; readonly to: number }
  | { readonly action: 'update'; readonly ids: readonly number[]; readonly bytes: Uint8Array }
  | { readonly action: 'end' | 'drop'; readonly id: number };
/**
 * Messages from the thread: one for each `update` and, with the digest, for each `end`, in order.
 */
export type HashReply = Uint8Array | null;
