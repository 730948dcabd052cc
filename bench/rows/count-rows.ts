import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { median, quantile } from '../../measure/median.ts';
import { startServer } from '../../measure/program.ts';
import type { Bench, Row } from '../row.ts';
import { timeRequests } from '../timed-requests.ts';

const releases = 1_000_000;
/**
 * Number of requests with each filter. The first request with a filter reads from the disk. With
 * this number, these requests are fewer than the 5 percent that the 95th percentile leaves out.
 */
const countsPerFilter = 30;
const times = 15;
/**
 * Time for the server to index the list's offsets. The first page at a large offset starts the
 * indexing.
 */
const offsetIndexingMs = 5_000;
/** Filters by exact values, and filters by text. */
const exactFilters = ['', 'region=USA', 'system=games', 'platform=Sony+-+PlayStation&region=Japan'];
const textFilters = ['q=mario', 'search=super+mario', 'q=ab', 'region=Japan&q=the'];
/** An extra parameter makes each URL new, so that no response comes from the cache. */
let requestCount = 0;
const uniqueParameter = () => {
  requestCount += 1;
  return `request=${requestCount}`;
};

/** Measures facets, letters and a page at the end of a large catalogue. */
export const countBench: Bench = {
  rows: ['facets', 'facets-search', 'letters', 'letters-search', 'deep-page'],
  measure: async (work) => {
    const data = await work.catalogue(releases);
    const reference = timeIndexPass(data);
    const server = await startServer(data);
    try {
      const measureCounts = async (list: string, filters: readonly string[]) => {
        const durations: number[] = [];
        for (let i = 0; i < countsPerFilter; i += 1) {
          const requests = filters.map((filter) => ({
            path: `/api/${list}?${filter}&${uniqueParameter()}`,
          }));
          durations.push(...(await timeRequests(server.url, requests)));
        }
        return quantile(durations, 0.95);
      };
      const rowsOf = async (list: string): Promise<Row[]> => {
        const shared = {
          unit: 'ms',
          reference,
          against: 'one pass over the index of platforms',
        } as const;
        const all = `${list} of ${releases} releases`;
        return [
          {
            ...shared,
            name: list,
            what: `${all}, p95`,
            catalog: await measureCounts(list, exactFilters),
            targets: [{ of: 'catalog', most: 20 }],
          },
          {
            ...shared,
            name: `${list}-search`,
            what: `${all} that a text finds, p95`,
            catalog: await measureCounts(list, textFilters),
            targets: [],
          },
        ];
      };
      return [
        ...(await rowsOf('facets')),
        ...(await rowsOf('letters')),
        await deepPage(server.url),
      ];
    } finally {
      await server.stop();
    }
  },
};

async function deepPage(url: string): Promise<Row> {
  const at = (offset: number) =>
    Array.from({ length: times }, (_, i) => ({ path: `/api/releases?offset=${offset + i}` }));
  const [first = 0] = await timeRequests(url, at(900_000));
  await timeRequests(url, at(0));
  await setTimeout(offsetIndexingMs);
  return {
    name: 'deep-page',
    what: 'list page at offset 900,000',
    unit: 'ms',
    catalog: median(await timeRequests(url, at(900_100))),
    reference: median(await timeRequests(url, at(100))),
    against: 'the same at offset 100',
    targets: [
      { of: 'ratio', most: 10 },
      { of: 'catalog', most: 5 },
    ],
    detail: { firstMs: first },
  };
}

function timeIndexPass(data: string): number {
  const database = new Database(join(data, 'catalog.db'), { readonly: true });
  try {
    const pass = database.prepare('SELECT platform_id, count(*) FROM release GROUP BY platform_id');
    const durations: number[] = [];
    for (let i = 0; i < times; i += 1) {
      const start = performance.now();
      pass.all();
      durations.push(performance.now() - start);
    }
    return median(durations);
  } finally {
    database.close();
  }
}
