import autocannon from 'autocannon';
import type { Ask } from './answers.ts';

const connections = 16;

/** What a server did under load. */
export interface Measured {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** Sends these again and again, over 16 connections; throws when one is refused. */
export async function loaded(
  url: string,
  asks: readonly Ask[],
  seconds: number,
): Promise<Measured> {
  const requests = asks.map(({ path, headers = {} }) => ({ path, headers: { ...headers } }));
  const result = await autocannon({ url, connections, requests, duration: seconds });
  const failed = result.errors + result.timeouts + result['4xx'] + result['5xx'];
  if (failed > 0) throw new Error(`${failed} of the requests to ${url} failed`);
  return { perSecond: result.requests.total / result.duration, p99Ms: result.latency.p99 };
}
