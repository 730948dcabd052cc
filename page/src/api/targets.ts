import { type ResponseOf, requestJson } from './request.ts';

/** A folder of the operator in which jobs can build. */
export type Target = ResponseOf<'getTargets'>['items'][number];

export async function listTargets(signal: AbortSignal): Promise<readonly Target[]> {
  return (await requestJson('GET', '/api/targets', { signal })).items;
}
