import { ask } from './request.ts';
import { sendFile } from './upload.ts';

/** The server's limit, in bytes. */
export const largestCover = 20 * 1_048_576;

/**
 * Where a cover lies, in the size for so many pixels on the screen. Null when the release has none; without a tag
 * nobody knows, and the picture may fail to load.
 */
export function coverAddress(
  id: number,
  tag: string | null | undefined,
  pixels: number,
): string | null {
  if (tag === null) return null;
  if (tag === undefined) return `/api/cover/${id}`;
  const width = Math.min(640, Math.max(1, Math.ceil(pixels)));
  return `/api/cover/${id}?width=${width}&tag=${encodeURIComponent(tag)}`;
}

/** Stores a cover, in place of any. */
export function putCover(
  id: number,
  file: File,
  onProgress: (share: number) => void,
): Promise<void> {
  return sendFile(`/api/cover/${id}`, file, file.name || 'cover', onProgress);
}

export async function removeCover(id: number): Promise<void> {
  await ask('DELETE', `/api/cover/${id}`);
}
