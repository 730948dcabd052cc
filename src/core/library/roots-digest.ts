import { createHash } from 'node:crypto';
import type { LibraryRoot } from './library-file.ts';

/**
 * Returns a digest of the host and its roots. The same host with the same roots in the same order
 * always gets the same digest.
 */
export function digestOf(roots: readonly LibraryRoot[], host: string): string {
  const named = [
    ...(host === '' ? [] : [host]),
    ...roots.map(({ system, path }) => [system, path]),
  ];
  return createHash('sha256').update(JSON.stringify(named)).digest('hex');
}
