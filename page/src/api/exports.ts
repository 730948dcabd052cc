import { type ResponseOf, requestJson, requestUrl } from './request.ts';

/** A device or front end that a set can be exported for. */
export type Profile = ResponseOf<'getProfiles'>['items'][number];
/** The files that an export leaves out: their number, and the first of them. */
export type LeftOut = ResponseOf<'getSetsSetIdLeftOutProfile'>;
/** A folder of the operator in which jobs can build. */
export type Target = ResponseOf<'getTargets'>['items'][number];

export async function listProfiles(signal: AbortSignal): Promise<readonly Profile[]> {
  return (await requestJson('GET', '/api/profiles', { signal })).items;
}

/** Returns what the export of a set leaves out, with at most `limit` files. */
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

/** Returns the URL of an export. An empty `romsPath` stands for the folder of the profile. */
export function exportUrl(set: number, profile: string, romsPath: string): string {
  return requestUrl('GET', '/api/sets/{set_id}/export/{profile}', {
    path: { set_id: set, profile },
    query: romsPath === '' ? {} : { roms_path: romsPath },
  });
}

export async function listTargets(signal: AbortSignal): Promise<readonly Target[]> {
  return (await requestJson('GET', '/api/targets', { signal })).items;
}
