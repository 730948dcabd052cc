import autocannon from 'autocannon';
import type { Ask } from './answers.ts';

const connections = 16;

/** The results of a server under load. */
export interface Measured {
  readonly perSecond: number;
  readonly p99Ms: number;
}

let sent = 0;

/** Returns the request with a meaningless extra parameter, so that no URL repeats. */
function toAnother<T extends { path: string }>(request: T): T {
  sent += 1;
  const { path } = request;
  return { ...request, path: `${path}${path.includes('?') ? '&' : '?'}sent=${sent}` };
}

/** Returns the path without the parameter that `loaded` added. */
export function withoutSent(path: string): string {
  return path.replace(/[?&]sent=\d+$/, '');
}

/**
 * Sends the requests repeatedly over 16 connections; with `isEachAnother`, each with a URL of its
 * own. Throws if any request fails.
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
