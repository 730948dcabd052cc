import type { FileArea, StoredFile } from '../shared/files/file-area.ts';
import { type ImageType, imageTypes } from './image-type.ts';

/** Maximum size of a stored cover, in bytes: 20 MiB (account-api.md, Limits). */
export const maxCoverBytes = 20 * 1_048_576;

export function coverFileName(releaseId: number, type: ImageType): string {
  return `${releaseId}.${type}`;
}

/** Returns the possible file names of a release's cover, one for each image type. */
export function possibleFileNames(releaseId: number): string[] {
  return imageTypes.map((type) => coverFileName(releaseId, type));
}

/** Returns the release id and image type in the file name of a cover; null for any other name. */
export function parseCoverFileName(name: string): { releaseId: number; type: ImageType } | null {
  const [, digits, end] = /^([1-9]\d*)\.(png|jpg|webp)$/.exec(name) ?? [];
  const type = imageTypes.find((each) => each === end);
  const releaseId = Number(digits);
  return type !== undefined && Number.isSafeInteger(releaseId) ? { releaseId, type } : null;
}

/**
 * Returns the cover of a release: the newest of the release's cover files of these types. Returns
 * null if there is no such file.
 */
export async function findCover(
  area: FileArea,
  releaseId: number,
  types: readonly ImageType[] = imageTypes,
): Promise<{ file: StoredFile; type: ImageType } | null> {
  const found = await Promise.all(
    types.map(async (type) => {
      const file = await area.find(coverFileName(releaseId, type));
      return file && { file, type };
    }),
  );
  return found.reduce((best, next) => {
    if (!best || !next) return best ?? next;
    return next.file.mtimeNs > best.file.mtimeNs ? next : best;
  }, null);
}

/**
 * Returns the file name of each release's cover, by release id. If a release has several cover
 * files, the newest is the cover.
 */
export async function fileNamesByRelease(area: FileArea): Promise<Map<number, string>> {
  const newest = new Map<number, StoredFile>();
  for await (const file of area.list()) {
    const id = parseCoverFileName(file.name)?.releaseId;
    if (id === undefined) continue;
    const other = newest.get(id);
    if (!other || file.mtimeNs > other.mtimeNs) newest.set(id, file);
  }
  return new Map([...newest].map(([id, file]) => [id, file.name]));
}
