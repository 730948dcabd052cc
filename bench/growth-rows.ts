import { setTimeout } from 'node:timers/promises';
import { type Bench, type BenchWork, quantile } from './row.ts';
import { sampleReleases } from './samples.ts';
import { searchTexts } from './search-texts.ts';
import { timedAsks } from './timed-asks.ts';
import { startServer } from './work.ts';

/** Releases. */
export const sizes = [10_000, 100_000, 1_000_000];
export const kinds = ['list', 'detail', 'search'] as const;
export type Kind = (typeof kinds)[number];
const texts = 100;
/** The first pages far in the list have them found. */
const msUntilPlacesAreKnown = 3_000;

/** What answers cost in catalogues of several sizes: the 95th percentiles of the largest against those of the smallest. */
export const growthBench: Bench = {
  rows: kinds.map((kind) => `growth-${kind}`),
  measure: async (work) => {
    const costs = await costsBySize(work);
    return kinds.map((kind) => {
      const [first = 0, middle = 0, last = 0] = costs.map((cost) => cost[kind]);
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

async function costsBySize(work: BenchWork): Promise<Record<Kind, number>[]> {
  const costs: Record<Kind, number>[] = [];
  for (const size of sizes) {
    const server = await startServer(await work.catalogue(size));
    try {
      costs.push(await costsOf(server.url));
    } finally {
      await server.stop();
    }
  }
  return costs;
}

/** The 95th percentiles of what answers of each kind take, in ms. */
export async function costsOf(url: string): Promise<Record<Kind, number>> {
  const samples = await sampleReleases(url);
  const names = samples.map(({ name }) => name);
  const paths: Record<Kind, string[]> = {
    list: samples.map(({ offset }) => `/api/releases?offset=${offset}`),
    detail: samples.map(({ id }) => `/api/releases/${id}`),
    search: searchTexts(names, texts).map((text) => `/api/releases?q=${encodeURIComponent(text)}`),
  };
  const p95 = async (kind: Kind) => {
    const asks = (turn: number) =>
      // Another address, whose answer is not kept.
      paths[kind].map((path) => ({
        path: `${path}${path.includes('?') ? '&' : '?'}turn=${turn}`,
      }));
    await timedAsks(url, asks(1));
    await setTimeout(msUntilPlacesAreKnown);
    return quantile(await timedAsks(url, asks(2)), 0.95);
  };
  return { list: await p95('list'), detail: await p95('detail'), search: await p95('search') };
}
