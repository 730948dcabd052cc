import { type ResponseOf, requestJson, requestUrl } from './request.ts';

/** A device or front end that a set can be exported for. */
export type Profile = ResponseOf<'getProfiles'>['items'][number];
/** The files that an export leaves out: their total number, and one page of them. */
export type LeftOut = ResponseOf<'getSetsSetIdLeftOutProfile'>;
/** A folder on the server in which jobs can build a set. */
export type Target = ResponseOf<'getTargets'>['items'][number];

export async function listProfiles(signal: AbortSignal): Promise<readonly Profile[]> {
  return (await requestJson('GET', '/api/profiles', { signal })).items;
}

/**
 * Returns the files that the export of a set leaves out: their total number, and the first `limit`
 * of them.
 */
export function readLeftOut(
  set: number,
  profile: string,
  limit: number,
  signal: AbortSignal,
): Promise<LeftOut> {
  return requestJson('GET', '/api/sets/{set_id}/left-out/{profile}', {
    path: { set_id: set, profile },
    query: { limit },
    signal,
  });
}

/**
 * Returns the URL of an export. If `romsPath` is empty, the server uses the profile's own folder.
 */
export function exportUrl(set: number, profile: string, romsPath: string): string {
  return requestUrl('GET', '/api/sets/{set_id}/export/{profile}', {
    path: { set_id: set, profile },
    query: romsPath === '' ? {} : { roms_path: romsPath },
  });
}

export async function listTargets(signal: AbortSignal): Promise<readonly Target[]> {
  return (await requestJson('GET', '/api/targets', { signal })).items;
}
