import { createHash } from 'node:crypto';
import type { StoredFile } from '../shared/files/file-area.ts';

/**
 * Returns a tag of 22 URL-safe characters that identifies one version of a cover file. The tag
 * changes whenever the file's name, size or modification time changes.
 */
export function coverTag({ name, size, mtimeNs }: StoredFile): string {
  return createHash('sha256').update(`${name}/${size}/${mtimeNs}`).digest('base64url').slice(0, 22);
}
