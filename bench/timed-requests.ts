import { type BenchRequest, fetchResponse } from './responses.ts';

/** Sends the requests one at a time. Returns the duration of each, in milliseconds. */
export async function timeRequests(
  url: string,
  requests: readonly BenchRequest[],
): Promise<number[]> {
  const times: number[] = [];
  for (const request of requests) {
    const start = performance.now();
    await fetchResponse(url, request);
    times.push(performance.now() - start);
  }
  return times;
}
