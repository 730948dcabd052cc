import autocannon from 'autocannon';
import type { BenchRequest } from './responses.ts';

const connections = 16;

/** The throughput and latency of a server under load. */
export interface LoadFigures {
  readonly perSecond: number;
  readonly p99Ms: number;
}

let sentCount = 0;

/** Returns the request with a meaningless extra parameter that makes its URL unique. */
function withUniqueUrl<T extends { path: string }>(request: T): T {
  sentCount += 1;
  const { path } = request;
  return { ...request, path: `${path}${path.includes('?') ? '&' : '?'}sent=${sentCount}` };
}

/** Returns the path without the extra parameter that `measureLoad` adds. */
export function withoutUniqueParameter(path: string): string {
  return path.replace(/[?&]sent=\d+$/, '');
}

/**
 * Sends the requests repeatedly over 16 connections. If `usesUniqueUrls` is set, each request has a
 * unique URL. Throws if any request fails.
 */
export async function measureLoad(
  url: string,
  benchRequests: readonly BenchRequest[],
  seconds: number,
  usesUniqueUrls = false,
): Promise<LoadFigures> {
  const requests = benchRequests.map(({ path, headers = {} }) => ({
    path,
    headers: { ...headers },
    ...(usesUniqueUrls && { setupRequest: withUniqueUrl }),
  }));
  const result = await autocannon({ url, connections, requests, duration: seconds });
  const failed = result.errors + result.timeouts + result['4xx'] + result['5xx'];
  if (failed > 0) throw new Error(`${failed} of the requests to ${url} failed`);
  return { perSecond: result.requests.total / result.duration, p99Ms: result.latency.p99 };
}
