import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Bench, median, quantile, type Row } from './row.ts';
import { timedAsks } from './timed-asks.ts';
import { startServer } from './work.ts';

const releases = 1_000_000;
const times = 15;
const filters = [
  '',
  'region=USA',
  'system=games',
  'q=mario',
  'search=super+mario',
  'q=ab',
  'region=Japan&q=the',
];

/** Facets, letters and a page at the end of a large catalogue. */
export const countBench: Bench = {
  rows: ['facets', 'letters', 'deep-page'],
  measure: async (work) => {
    const data = await work.catalogue(releases);
    const reference = onePass(data);
    const server = await startServer(data);
    try {
      const counted = async (name: string): Promise<Row> => {
        const asks = filters.map((filter) => ({ path: `/api/${name}?${filter}` }));
        const taken: number[] = [];
        for (let i = 0; i < times; i += 1) taken.push(...(await timedAsks(server.url, asks)));
        return {
          name,
          what: `${name} of ${releases} releases, p95`,
          unit: 'ms',
          catalog: quantile(taken, 0.95),
          reference,
          against: 'one pass over the index of platforms',
          targets: [{ of: 'catalog', most: 20 }],
        };
      };
      return [await counted('facets'), await counted('letters'), await deepPage(server.url)];
    } finally {
      await server.stop();
    }
  },
};

async function deepPage(url: string): Promise<Row> {
  const at = (offset: number) =>
    Array.from({ length: times }, (_, i) => ({ path: `/api/releases?offset=${offset + i}` }));
  await timedAsks(url, [...at(0), ...at(900_000)].slice(0, times + 2));
  return {
    name: 'deep-page',
    what: 'list page at offset 900,000',
    unit: 'ms',
    catalog: median(await timedAsks(url, at(900_100))),
    reference: median(await timedAsks(url, at(100))),
    against: 'the same at offset 100',
    targets: [
      { of: 'ratio', most: 10 },
      { of: 'catalog', most: 5 },
    ],
  };
}

function onePass(data: string): number {
  const database = new Database(join(data, 'catalog.db'), { readonly: true });
  try {
    const pass = database.prepare('SELECT platform_id, count(*) FROM release GROUP BY platform_id');
    const taken: number[] = [];
    for (let i = 0; i < times; i += 1) {
      const start = performance.now();
      pass.all();
      taken.push(performance.now() - start);
    }
    return median(taken);
  } finally {
    database.close();
  }
}
