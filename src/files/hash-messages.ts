import type { HashAlgorithm } from '../core/uploads/ports.ts';

/** To the thread. Bytes stand in memory that both share. */
export type HashRequest =
  | { readonly action: 'start'; readonly id: number; readonly algorithm: HashAlgorithm }
  | { readonly action: 'copy'; readonly id: number; readonly to: number }
  | { readonly action: 'update'; readonly ids: readonly number[]; readonly bytes: Uint8Array }
  | { readonly action: 'end' | 'drop'; readonly id: number };
/** From the thread, once for each `update` and, with the digest, for each `end`, in their order. */
export type HashReply = Uint8Array | null;
