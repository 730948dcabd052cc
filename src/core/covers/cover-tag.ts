import { createHash } from 'node:crypto';
import type { StoredFile } from '../shared/file-area.ts';

/** Opaque, 22 characters of a URL: changes with the file's name, size or modification time. */
export function coverTag({ name, size, mtimeNs }: StoredFile): string {
  return createHash('sha256').update(`${name}/${size}/${mtimeNs}`).digest('base64url').slice(0, 22);
}
