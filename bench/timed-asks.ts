import { type Ask, answerOf } from './answers.ts';

/** Milliseconds that each answer took, asked one after the other. */
export async function timedAsks(url: string, asks: readonly Ask[]): Promise<number[]> {
  const times: number[] = [];
  for (const ask of asks) {
    const start = performance.now();
    await answerOf(url, ask);
    times.push(performance.now() - start);
  }
  return times;
}
