import { at } from '../base-path.ts';
import { ask, askFile, Refusal } from './request.ts';
import { sendFile } from './upload.ts';

/** The server's limit, in bytes. */
export const largestCover = 20 * 1_048_576;

/** The widths that the server has, px. */
const widths = [160, 320, 640] as const;

/**
 * Where a cover lies, in the size for so many pixels on the screen; null when the release has none. `tag` is its
 * `cover_tag`, with which browsers keep it.
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

/** Stores a cover, in place of any. */
export function putCover(
  id: number,
  file: Blob,
  onProgress: (share: number) => void = () => {},
): Promise<void> {
  const name = file instanceof File ? file.name : '';
  return sendFile(`/api/cover/${id}`, file, name || 'cover', onProgress);
}

/** The stored picture itself; null when there is none. One laid into the folder by hand may be over the limit. */
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
