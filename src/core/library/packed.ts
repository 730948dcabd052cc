import type { IdentifiedFile } from './library-file.ts';

const packed: readonly string[] = ['cso', 'zso', 'dax', 'chd', 'zip'];

/** Whether what is inside a file is hashed instead of its own bytes. */
export function isPacked({ identity }: Pick<IdentifiedFile, 'identity'>): boolean {
  return packed.includes(identity.container);
}

/** Whether a packed file's own bytes were hashed, before there was a reader for what is inside. */
export function hasPackedHashes({ identity, size, hashes }: IdentifiedFile): boolean {
  return isPacked({ identity }) && hashes?.size === size;
}
