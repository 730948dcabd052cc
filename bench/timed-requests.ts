import { type BenchRequest, fetchResponse } from './responses.ts';

/** Sends the requests one at a time. Returns the duration of each, in milliseconds. */
export async function timeRequests(url: string, asks: readonly BenchRequest[]): Promise<number[]> {
  const times: number[] = [];
  for (const ask of asks) {
    const start = performance.now();
    await fetchResponse(url, ask);
    times.push(performance.now() - start);
  }
  return times;
}
