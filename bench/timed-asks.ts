import { type Ask, answerOf } from './answers.ts';

/** Sends the requests one at a time. Returns the duration of each, in milliseconds. */
export async function timedAsks(url: string, asks: readonly Ask[]): Promise<number[]> {
  const times: number[] = [];
  for (const ask of asks) {
    const start = performance.now();
    await answerOf(url, ask);
    times.push(performance.now() - start);
  }
  return times;
}
