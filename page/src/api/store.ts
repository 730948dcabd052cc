import type { Archive } from './model.ts';
import { archivePath } from './releases.ts';
import { ask, askHeaders } from './request.ts';

export type Area = 'games' | 'videos';

/** An archive with the release that it is named like. */
export type ListedArchive = Archive & { readonly release: { id: number; name: string } | null };

/** A part of an area's archives. */
export interface ArchivePage {
  readonly items: readonly ListedArchive[];
  /** In all parts. */
  readonly total: number;
}

export function listArchives(
  system: Area,
  { search, limit, offset }: { search: string; limit: number; offset: number },
  signal: AbortSignal,
): Promise<ArchivePage> {
  const query = { system, search, limit, offset, include: 'total,release' };
  return ask('GET', '/api/store', { query, signal });
}

/** What was stored with this size, in bytes, with its SHA-256 in lower-case hexadecimal. */
export async function listArchivesOfSize(
  system: Area,
  size: number,
  signal: AbortSignal,
): Promise<readonly { name: string; sha256: string | null }[]> {
  const query = { system, size, include: 'sha256' };
  return (
    await ask<{ items: { name: string; sha256: string | null }[] }>('GET', '/api/store', {
      query,
      signal,
    })
  ).items;
}

/** Asks whether a download would be answered: a browser would save a refusal as the file. Throws as `ask`. */
export async function checkDownload(archive: Pick<Archive, 'system' | 'name'>): Promise<void> {
  await askHeaders('HEAD', archivePath(archive));
}

export async function removeArchive({
  system,
  name,
}: Pick<Archive, 'system' | 'name'>): Promise<void> {
  await ask('DELETE', `/api/store/${encodeURIComponent(system)}/${encodeURIComponent(name)}`);
}
