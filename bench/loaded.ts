import autocannon from 'autocannon';
import type { Ask } from './answers.ts';

const connections = 16;

/** The throughput and latency of a server under load. */
export interface Measured {
  readonly perSecond: number;
  readonly p99Ms: number;
}

let sent = 0;

/** Returns the request with a meaningless extra parameter that makes its URL unique. */
function toAnother<T extends { path: string }>(request: T): T {
  sent += 1;
  const { path } = request;
  return { ...request, path: `${path}${path.includes('?') ? '&' : '?'}sent=${sent}` };
}

/** Returns the path without the extra parameter that `loaded` adds. */
export function withoutSent(path: string): string {
  return path.replace(/[?&]sent=\d+$/, '');
}

/**
 * Sends the requests repeatedly over 16 connections. If `isEachAnother` is set, each request has a
 * unique URL. Throws if any request fails.
 */
export async function loaded(
  url: string,
  asks: readonly Ask[],
  seconds: number,
  isEachAnother = false,
): Promise<Measured> {
  const requests = asks.map(({ path, headers = {} }) => ({
    path,
    headers: { ...headers },
    ...(isEachAnother && { setupRequest: toAnother }),
  }));
  const result = await autocannon({ url, connections, requests, duration: seconds });
  const failed = result.errors + result.timeouts + result['4xx'] + result['5xx'];
  if (failed > 0) throw new Error(`${failed} of the requests to ${url} failed`);
  return { perSecond: result.requests.total / result.duration, p99Ms: result.latency.p99 };
}
