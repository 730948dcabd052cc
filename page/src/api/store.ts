import type { Archive } from './model.ts';
import { requestHead, requestJson } from './request.ts';

export type Area = 'games' | 'videos';

/**
 * An archive. `release` is the release that the archive's name matches, or null if the name matches
 * no release.
 */
export type ListedArchive = Archive & { readonly release: { id: number; name: string } | null };

/** One page of the archives of an area (games or videos). */
export interface ArchivePage {
  readonly items: readonly ListedArchive[];
  /** Number of archives on all pages together. */
  readonly total: number;
}

export async function listArchives(
  system: Area,
  { search, limit, offset }: { search: string; limit: number; offset: number },
  signal: AbortSignal,
): Promise<ArchivePage> {
  const query = { system, search, limit, offset, include: 'total,release' };
  const { items, total = 0 } = await requestJson('GET', '/api/store', { query, signal });
  return { items: items.map((item) => ({ release: null, ...item })), total };
}

/**
 * Returns the stored archives that are exactly `size` bytes long. `sha256` is in lower-case
 * hexadecimal, or null if the SHA-256 is not known.
 */
export async function listArchivesOfSize(
  system: Area,
  size: number,
  signal: AbortSignal,
): Promise<readonly { name: string; sha256: string | null }[]> {
  const query = { system, size, include: 'sha256' };
  const { items } = await requestJson('GET', '/api/store', { query, signal });
  return items.map(({ name, sha256 = null }) => ({ name, sha256 }));
}

/**
 * Checks whether an archive can be downloaded. Call `checkDownload` before a download, because a
 * browser would save an error response as the file. Throws the same errors as `requestJson`.
 */
export async function checkDownload(archive: Pick<Archive, 'system' | 'name'>): Promise<void> {
  const { system, name } = archive;
  await requestHead('/api/store/download/{system}/{name}', { path: { system, name } });
}

export async function removeArchive({
  system,
  name,
}: Pick<Archive, 'system' | 'name'>): Promise<void> {
  await requestJson('DELETE', '/api/store/{system}/{name}', { path: { system, name } });
}
