import { at } from '../base-path.ts';
import { ask, askFile, Refusal } from './request.ts';
import { sendFile } from './upload.ts';

/** Maximum size of a cover that the server accepts, in bytes. */
export const largestCover = 20 * 1_048_576;

/** Cover widths that the server offers, in px. */
const widths = [160, 320, 640] as const;

/**
 * Returns the URL of a cover in a size that suits `pixels` on the screen, or null when the release
 * has no cover. `tag` is its `cover_tag`, by which browsers cache it.
 */
export function coverAddress(
  id: number,
  tag: string | null | undefined,
  pixels: number,
): string | null {
  if (!tag) return null;
  const width = widths.find((each) => each >= pixels) ?? 640;
  return at(`/api/cover/${id}?width=${width}&tag=${encodeURIComponent(tag)}`);
}

/** Stores a cover, replacing any existing one. */
export function putCover(
  id: number,
  file: Blob,
  onProgress: (share: number) => void = () => {},
): Promise<void> {
  const name = file instanceof File ? file.name : '';
  return sendFile(`/api/cover/${id}`, file, name || 'cover', onProgress);
}

/**
 * Returns the stored picture, or null when there is none. A manually added file may be over the
 * limit.
 */
export async function readCover(id: number): Promise<Blob | null> {
  try {
    return await askFile(`/api/cover/${id}`);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}

export async function removeCover(id: number): Promise<void> {
  await ask('DELETE', `/api/cover/${id}`);
}
