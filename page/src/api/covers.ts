import { Refusal, requestBlob, requestJson, requestUrl } from './request.ts';
import { coverWidthFor } from './thumbnail-sizes.ts';
import { sendFile } from './upload.ts';

/** Maximum size of a cover that the server accepts, in bytes. */
export const maxCoverBytes = 20 * 1_048_576;

/**
 * Returns the URL of a cover that is at least `pixels` wide, or as wide as possible. Returns null
 * if the release has no cover. `tag` is the release's `cover_tag`. The URL contains the tag and so
 * changes with the cover, which lets browsers cache the picture.
 */
export function coverUrl(
  id: number,
  tag: string | null | undefined,
  pixels: number,
): string | null {
  if (!tag) return null;
  return requestUrl('GET', '/api/cover/{release_id}', {
    path: { release_id: id },
    query: { width: coverWidthFor(pixels), tag },
  });
}

/**
 * Stores `file` as the release's cover, and replaces any existing cover. `onProgress` receives the
 * share of bytes sent so far, from 0 to 1. Throws Refusal or Unreachable.
 */
export function putCover(
  id: number,
  file: Blob,
  onProgress: (share: number) => void = () => {},
): Promise<void> {
  const name = file instanceof File ? file.name : '';
  const url = requestUrl('POST', '/api/cover/{release_id}', { path: { release_id: id } });
  return sendFile(url, file, name || 'cover', onProgress);
}

/**
 * Returns the stored cover, or null if the release has no cover. A manually added cover may be
 * larger than `maxCoverBytes`.
 */
export async function readCover(id: number): Promise<Blob | null> {
  try {
    return await requestBlob('/api/cover/{release_id}', { path: { release_id: id } });
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}

export async function removeCover(id: number): Promise<void> {
  await requestJson('DELETE', '/api/cover/{release_id}', { path: { release_id: id } });
}
