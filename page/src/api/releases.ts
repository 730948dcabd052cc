import type {
  Archive,
  Edit,
  FacetName,
  Facets,
  LibraryFile,
  Order,
  Release,
  ReleaseItem,
} from './model.ts';
import {
  type ResponseOf,
  requestHead,
  requestJson,
  requestJsonAndHeaders,
  requestUrl,
} from './request.ts';

/** Filters of the release list. An empty string means no filter. */
export interface Filter {
  /**
   * The id or name of a set. Only the releases of this set match. Only signed-in users have sets.
   */
  readonly set: string;
  readonly search: string;
  readonly system: string;
  /**
   * One or more platforms, separated by `|`. The filters `region`, `genre`, `year` and `publisher`
   * can have several values in the same way.
   */
  readonly platform: string;
  readonly region: string;
  readonly genre: string;
  readonly year: string;
  readonly publisher: string;
  /**
   * `have` selects releases with a file in the library, `missing` selects releases without one,
   * `verified` selects releases with a verified file. Only signed-in users may use this filter.
   */
  readonly library: string;
  /** `have` selects releases with a cover, `missing` selects releases without one. */
  readonly cover: string;
}

export interface ReleasePage {
  readonly items: readonly ReleaseItem[];
  /** Number of releases that match the filters. Present only if it was requested. */
  readonly total?: number;
}

/**
 * Returns one page of the list. If `wantsTotal` is true, also returns the number of releases that
 * match the filters.
 */
export function listReleases(
  { order, ...filter }: Filter & { order: Order },
  { offset, limit, wantsTotal }: { offset: number; limit: number; wantsTotal: boolean },
  signal: AbortSignal,
): Promise<ReleasePage> {
  const include = `${wantsTotal ? 'total,' : ''}platform,cover,owned`;
  const sort = order === 'name' ? undefined : order;
  const query = { ...queryOf(filter), order: sort, offset, limit, include };
  return requestJson('GET', '/api/releases', { query, signal });
}

/**
 * Returns the number of releases for each value of the filters. The number is how many releases
 * would match if that value were selected and the other filters stayed the same. The values of most
 * filters are returned only if `extra` names the filter.
 */
export async function readFacets(
  filter: Filter,
  extra: FacetName | null,
  signal: AbortSignal,
): Promise<Facets> {
  const isExtra = extra !== null && !['system', 'platform', 'region'].includes(extra);
  const query = { ...queryOf(filter), others: 1, ...(isExtra && { include: extra }) };
  const found = await requestJson('GET', '/api/facets', { query, signal });
  const ofStates = (states: Readonly<Record<string, number>>) =>
    Object.entries(states).map(([value, releases]) => ({ value, releases }));
  return {
    system: toFacets('system', found.systems),
    platform: toFacets('platform', found.platforms),
    region: toFacets('region', found.regions),
    ...(found.genres && { genre: toFacets('genre', found.genres) }),
    ...(found.years && { year: toFacets('year', found.years).reverse() }),
    ...(found.publishers && { publisher: toFacets('publisher', found.publishers) }),
    ...(found.library && { library: ofStates(found.library) }),
    ...(found.covers && { cover: ofStates(found.covers) }),
  };
}

function toFacets<Name extends string>(
  name: Name,
  list: readonly ({ readonly [name in Name]?: string } & { readonly releases: number })[],
) {
  return list.map((each) => ({ value: each[name] ?? '', releases: each.releases }));
}

/**
 * Returns the initials that occur in the list sorted by title. For each initial, returns the list
 * index of its first release.
 */
export async function readInitials(
  filter: Filter,
  signal: AbortSignal,
): Promise<ResponseOf<'getLetters'>['items']> {
  const query = { ...queryOf(filter), order: 'title' as const };
  return (await requestJson('GET', '/api/letters', { query, signal })).items;
}

/**
 * Returns a release and its entity tag. `editRelease` sends the entity tag, so that the server
 * detects concurrent changes.
 */
export async function readRelease(
  id: number,
  signal: AbortSignal,
): Promise<{ release: Release; etag: string | null }> {
  const query = { include: 'platform,cover,sources,edits' };
  const { json, headers } = await requestJsonAndHeaders('GET', '/api/releases/{release_id}', {
    path: { release_id: id },
    query,
    signal,
  });
  return { release: json, etag: headers.get('etag') };
}

/**
 * Overwrites fields of a release. If `etag` is set and another user has changed the release since
 * the etag was read, the server refuses with 412.
 */
export async function editRelease(
  id: number,
  fields: Readonly<Record<string, string>>,
  etag: string | null = null,
): Promise<void> {
  const headers = etag === null ? {} : { 'if-match': etag };
  await requestJson('PATCH', '/api/releases/{release_id}', {
    path: { release_id: id },
    body: fields,
    headers,
  });
}

/** Removes the manual edit of a field, so that the field gets its imported value again. */
export async function dropEdit(id: number, field: Edit['field']): Promise<void> {
  await requestJson('DELETE', '/api/releases/{release_id}/edits/{field}', {
    path: { release_id: id, field },
  });
}

/** Returns the library files that are matched to a release. Requires a signed-in user. */
export function listLibraryFiles(id: number, signal: AbortSignal): Promise<readonly LibraryFile[]> {
  return itemsOf(
    requestJson('GET', '/api/releases/{release_id}/library', { path: { release_id: id }, signal }),
  );
}

/** Returns the archives in the store whose names match a release. */
export function listArchives(id: number, signal: AbortSignal): Promise<readonly Archive[]> {
  return itemsOf(
    requestJson('GET', '/api/releases/{release_id}/archives', { path: { release_id: id }, signal }),
  );
}

/** Returns the URL from which to download all library files of a release as a zip. */
export function releaseZipUrl(id: number): string {
  return requestUrl('GET', '/api/releases/{release_id}/download', { path: { release_id: id } });
}

/**
 * Checks whether the library files of a release can be downloaded. Throws the same errors as
 * `requestJson`.
 */
export async function checkReleaseZip(id: number): Promise<void> {
  await requestHead('/api/releases/{release_id}/download', { path: { release_id: id } });
}

/** Returns the download URL of an archive. */
export function archiveUrl({ system, name }: Pick<Archive, 'system' | 'name'>): string {
  return requestUrl('GET', '/api/store/download/{system}/{name}', { path: { system, name } });
}

/** Returns only the filters of an object that may have other properties. */
function queryOf(filter: Filter) {
  const { set, search, system, platform, region, genre, year, publisher, library, cover } = filter;
  // The values come from the page's URL. The server refuses unknown values.
  const states = {
    library: library as '' | 'have' | 'missing' | 'verified',
    cover: cover as '' | 'have' | 'missing',
  };
  return { set, search, system, platform, region, genre, year, publisher, ...states };
}

async function itemsOf<T>(response: Promise<{ items: readonly T[] }>): Promise<readonly T[]> {
  return (await response).items;
}
