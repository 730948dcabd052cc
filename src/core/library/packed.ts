import type { IdentifiedFile } from './library-file.ts';

const nintendo = ['gcz', 'wbfs', 'ciso', 'wdf', 'nkit'];
const packed: readonly string[] = ['cso', 'zso', 'dax', 'chd', 'zip', ...nintendo];

/** Whether what is inside a file is hashed instead of its own bytes. */
export function isPacked({ identity }: Pick<IdentifiedFile, 'identity'>): boolean {
  return packed.includes(identity.container);
}

/** Whether the image as it was can be had from the file. */
export function isRestorable({ identity }: Pick<IdentifiedFile, 'identity'>): boolean {
  return identity.unrestorable === undefined;
}

/** Whether a packed file's own bytes were hashed, before there was a reader for what is inside. */
export function hasPackedHashes({ identity, size, hashes }: IdentifiedFile): boolean {
  return isPacked({ identity }) && hashes?.size === size;
}
