import { setTimeout } from 'node:timers/promises';
import { median, quantile } from '../../measure/median.ts';
import { type Server, startServer } from '../../measure/program.ts';
import { sampleReleases } from '../data/samples.ts';
import { searchTexts } from '../data/search-texts.ts';
import type { Bench, BenchWork } from '../row.ts';
import { timeRequests } from '../timed-requests.ts';

/** Catalogue sizes, in releases. */
export const sizes = [10_000, 100_000, 1_000_000];
export const kinds = ['list', 'detail', 'search'] as const;
export type Kind = (typeof kinds)[number];
const texts = 100;
const turns = 5;
/**
 * Time for the server to index the list's offsets. The first pages at large offsets start the
 * indexing.
 */
const offsetIndexingMs = 3_000;

/**
 * Measures response times in catalogues of several sizes. Compares the 95th percentiles of the
 * largest catalogue with the 95th percentiles of the smallest.
 */
export const growthBench: Bench = {
  rows: kinds.map((kind) => `growth-${kind}`),
  measure: async (work) => {
    const times = await responseTimesBySize(work);
    return kinds.map((kind) => {
      const [first = 0, middle = 0, last = 0] = times.map((each) => each[kind]);
      return {
        name: `growth-${kind}`,
        what: `${kind} of ${sizes.at(-1)} releases, p95`,
        unit: 'ms',
        catalog: last,
        reference: first,
        against: `the same of ${sizes[0]}`,
        targets: [{ of: 'ratio', most: 3 }],
        detail: { [String(sizes[0])]: first, [String(sizes[1])]: middle, [String(sizes[2])]: last },
      };
    });
  },
};

async function responseTimesBySize(work: BenchWork): Promise<ResponseTimesByKind[]> {
  const servers: Server[] = [];
  try {
    for (const size of sizes) servers.push(await startServer(await work.catalogue(size)));
    return await measureResponseTimes(servers.map(({ url }) => url));
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** The 95th percentile of the response times of each kind, in milliseconds. */
export type ResponseTimesByKind = Record<Kind, number>;

/** Measures several servers alternately. The values of each server are the medians of its turns. */
export async function measureResponseTimes(
  urls: readonly string[],
): Promise<ResponseTimesByKind[]> {
  const paths = await Promise.all(urls.map(pathsOf));
  const p95 = async (kind: Kind) => {
    const timeTurn = (index: number, turn: number) => {
      // An extra parameter makes each URL new, so that no response comes from the cache.
      const requests = paths[index]?.[kind].map((path) => ({
        path: `${path}${path.includes('?') ? '&' : '?'}turn=${turn}`,
      }));
      return timeRequests(urls[index] ?? '', requests ?? []);
    };
    const percentiles: number[][] = urls.map(() => []);
    for (const index of urls.keys()) await timeTurn(index, 0);
    await setTimeout(offsetIndexingMs);
    for (let turn = 1; turn <= turns; turn += 1) {
      for (const index of urls.keys()) {
        percentiles[index]?.push(quantile(await timeTurn(index, turn), 0.95));
      }
    }
    return percentiles.map(median);
  };
  const list = await p95('list');
  const detail = await p95('detail');
  const search = await p95('search');
  return urls.map((_, index) => ({
    list: list[index] ?? 0,
    detail: detail[index] ?? 0,
    search: search[index] ?? 0,
  }));
}

async function pathsOf(url: string): Promise<Record<Kind, string[]>> {
  const samples = await sampleReleases(url);
  const names = samples.map(({ name }) => name);
  return {
    list: samples.map(({ offset }) => `/api/releases?offset=${offset}`),
    detail: samples.map(({ id }) => `/api/releases/${id}`),
    search: searchTexts(names, texts).map((text) => `/api/releases?q=${encodeURIComponent(text)}`),
  };
}
