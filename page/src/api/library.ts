import { at } from '../base-path.ts';
import { type AnswerOf, ask } from './request.ts';

export type ListedFile = AnswerOf<'getLibrary'>['items'][number];
export type FileCounts = NonNullable<AnswerOf<'getLibrary'>['counts']>;
/** A file with the reason why it is matched to its release. */
export type ExplainedFile = AnswerOf<'getLibraryFileId'>;
/**
 * A candidate release for a file, with the fields that distinguish it from others of the same name.
 */
export type ReleaseChoice = NonNullable<ExplainedFile['choices']>[number];
export type Root = AnswerOf<'getLibraryRoots'>['items'][number];
export type Platform = AnswerOf<'getPlatforms'>['items'][number];

/** Filters of the file list. Empty strings do not filter. */
export interface FileFilter {
  readonly search: string;
  readonly state: string;
}

/** Returns part of the list, with the file counts of all states. */
export function listFiles(
  filter: FileFilter,
  { offset, limit }: { offset: number; limit: number },
  signal: AbortSignal,
): Promise<AnswerOf<'getLibrary'>> {
  const query = { ...filter, offset, limit, include: 'counts,state' };
  return ask('GET', '/api/library', { query, signal });
}

export function readFile(id: number, signal: AbortSignal): Promise<ExplainedFile> {
  return ask('GET', `/api/library/${id}`, { query: { include: 'choices' }, signal });
}

/** Returns the first releases that match a search. */
export async function findReleases(
  search: string,
  signal: AbortSignal,
): Promise<readonly ReleaseChoice[]> {
  const query = { search, limit: 10, include: 'platform' };
  const { items } = await ask<AnswerOf<'getReleases'>>('GET', '/api/releases', { query, signal });
  return items.map(({ id, name, platform = '', region, serial }) => ({
    ...{ id, name, platform, region, serial },
  }));
}

/** Matches a file to a release. With null, the evidence decides again. */
export async function matchFile(id: number, release: number | null): Promise<void> {
  await ask('POST', `/api/library/${id}/match`, { body: { release_id: release } });
}

export async function listRoots(signal: AbortSignal): Promise<readonly Root[]> {
  return (await ask<AnswerOf<'getLibraryRoots'>>('GET', '/api/library/roots', { signal })).items;
}

export async function listPlatforms(signal: AbortSignal): Promise<readonly Platform[]> {
  return (await ask<AnswerOf<'getPlatforms'>>('GET', '/api/platforms', { signal })).items;
}

/** Returns the download URL of the list of a platform's missing releases. */
export function missingAddress({ id }: Platform, form: 'csv' | 'dat'): string {
  return at(`/api/platforms/${id}/missing.${form}`);
}
