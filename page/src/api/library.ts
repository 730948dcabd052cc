import type { ReleaseItem } from './model.ts';
import { type ResponseOf, requestHead, requestJson, requestUrl } from './request.ts';

export type ListedFile = ResponseOf<'getLibrary'>['items'][number];
export type FileCounts = NonNullable<ResponseOf<'getLibrary'>['counts']>;
/** A file of the library, with the evidence for its match to a release. */
export type FileDetails = ResponseOf<'getLibraryFileId'>;
/** A candidate release for a file. Its fields distinguish releases of the same name. */
export type ReleaseCandidate = NonNullable<FileDetails['choices']>[number];
/** A matching rule that was applied, and whether a release satisfied it. */
export type MatchReason = FileDetails['why'][number];
/**
 * A rule that explains a manual choice, with the other undecided files that the rule can decide.
 */
export type AlikeChoice = ResponseOf<'getLibraryAlike'>['items'][number];
/** A file with the release to choose for it; null undoes the choice. */
export interface FileChoice {
  readonly file_id: number;
  readonly release_id: number | null;
}
export type Root = ResponseOf<'getLibraryRoots'>['items'][number];
export type Platform = ResponseOf<'getPlatforms'>['items'][number];

/** Filters of the file list. An empty string means no filter. */
export interface FileFilter {
  readonly search: string;
  readonly state: string;
}

/** Returns one page of the file list, and the number of files in each state. */
export function listFiles(
  filter: FileFilter,
  { offset, limit }: { offset: number; limit: number },
  signal: AbortSignal,
): Promise<ResponseOf<'getLibrary'>> {
  // The state comes from the page's URL. The server refuses an unknown state.
  const state = filter.state as keyof FileCounts | '';
  const query = { ...filter, state, offset, limit, include: 'counts,state' };
  return requestJson('GET', '/api/library', { query, signal });
}

export function readFile(id: number, signal: AbortSignal): Promise<FileDetails> {
  return requestJson('GET', '/api/library/{file_id}', {
    path: { file_id: id },
    query: { include: 'choices' },
    signal,
  });
}

/** Returns the first ten releases that match a search text. */
export async function findReleases(
  search: string,
  signal: AbortSignal,
): Promise<readonly ReleaseCandidate[]> {
  const query = { search, limit: 10, include: 'platform' };
  const { items } = await requestJson('GET', '/api/releases', { query, signal });
  return items.map(({ id, name, platform = '', region, serial }) => ({
    ...{ id, name, platform, region, serial },
  }));
}

/**
 * Matches a file to a release by hand. If `release` is null, removes the manual match, so that the
 * evidence in the file decides again.
 */
export async function matchFile(id: number, release: number | null): Promise<void> {
  await requestJson('POST', '/api/library/{file_id}/match', {
    path: { file_id: id },
    body: { release_id: release },
  });
}

/**
 * Matches several files to releases by hand, or removes their manual matches. Applies all changes
 * or none. Returns the ids of the changed files. Files that were matched in the meantime are not
 * changed.
 */
export async function matchFiles(files: readonly FileChoice[]): Promise<readonly number[]> {
  return (await requestJson('POST', '/api/library/match', { body: { files: [...files] } })).files;
}

/**
 * Returns the rules that select `chosen` from among `chosen` and `others` (release ids). Each rule
 * lists the undecided files that it can decide.
 */
export async function listAlikeChoices(
  chosen: number,
  others: readonly number[],
  signal: AbortSignal,
): Promise<readonly AlikeChoice[]> {
  const query = { chosen, others: others.join() };
  return (await requestJson('GET', '/api/library/alike', { query, signal })).items;
}

export async function listRoots(signal: AbortSignal): Promise<readonly Root[]> {
  return (await requestJson('GET', '/api/library/roots', { signal })).items;
}

export async function listPlatforms(signal: AbortSignal): Promise<readonly Platform[]> {
  return (await requestJson('GET', '/api/platforms', { signal })).items;
}

/** Returns the URL from which to download a list of the platform's missing releases. */
export function missingListUrl({ id }: Platform, form: 'csv' | 'dat'): string {
  return requestUrl('GET', `/api/platforms/{platform_id}/missing.${form}`, {
    path: { platform_id: id },
  });
}

/** Returns the 24 releases that were most recently added to the library, newest first. */
export async function listRecentlyAdded(signal: AbortSignal): Promise<readonly ReleaseItem[]> {
  const query = { limit: 24, include: 'platform,cover,owned' };
  return (await requestJson('GET', '/api/library/recent', { query, signal })).items;
}

/** Returns the number of library files in each state, or null if the response has no counts. */
export async function readFileCounts(signal: AbortSignal): Promise<FileCounts | null> {
  const query = { limit: 1, include: 'counts' };
  return (await requestJson('GET', '/api/library', { query, signal })).counts ?? null;
}

/** Returns the download URL of a library file. */
export function libraryFileUrl(id: number): string {
  return requestUrl('GET', '/api/library/{file_id}/download', { path: { file_id: id } });
}

/**
 * Checks whether a library file can be downloaded. Throws the same errors as `requestJson`. Call
 * this function before a download, because a browser would save an error response as the file.
 */
export async function checkLibraryDownload(id: number): Promise<void> {
  await requestHead('/api/library/{file_id}/download', { path: { file_id: id } });
}
