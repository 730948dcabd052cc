import { createHash } from 'node:crypto';
import type { StoredFile } from '../shared/file-area.ts';

/**
 * Returns an opaque tag of 22 URL-safe characters that changes with the file's name, size or
 * modification time.
 */
export function coverTag({ name, size, mtimeNs }: StoredFile): string {
  return createHash('sha256').update(`${name}/${size}/${mtimeNs}`).digest('base64url').slice(0, 22);
}
