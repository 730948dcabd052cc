import { join } from 'node:path';
import Database from 'better-sqlite3';
import { median, quantile } from '../../measure/median.ts';
import { startServer } from '../../measure/program.ts';
import { sampleReleases } from '../data/samples.ts';
import { rareTexts, searchTexts, typedTexts } from '../data/search-texts.ts';
import { fetchJson } from '../responses.ts';
import type { Bench, Row } from '../row.ts';
import { timeRequests } from '../timed-requests.ts';

const releases = 1_000_000;
const textCount = 200;
/**
 * Number of searches to compare with a scan of all names. A scan is slow, so this number is small.
 */
const comparedSearches = 40;

/**
 * Measures searches of a large catalogue, one at a time. The reference is a scan of all names with
 * LIKE. Both must find the same releases.
 */
export const searchBench: Bench = {
  rows: ['search', 'search-p99', 'search-short', 'search-relevance'],
  measure: async (work) => {
    const data = await work.catalogue(releases);
    const server = await startServer(data);
    try {
      const names = (await sampleReleases(server.url)).map(({ name }) => name);
      const all = [...searchTexts(names, textCount), ...rareTexts];
      const reference = await compareWithScans(server.url, data, all);
      const timeSearches = async (wanted: readonly string[]) => {
        const paths = wanted.flatMap((text) =>
          ['q', 'search'].map((field) => `/api/releases?${field}=${encodeURIComponent(text)}`),
        );
        const requests = paths.map((path) => ({ path }));
        await timeRequests(server.url, requests.slice(0, 20));
        return timeRequests(server.url, requests);
      };
      const byRelevance = typedTexts(names, textCount).map((text) => ({
        path: `/api/releases?order=relevance&search=${encodeURIComponent(text)}`,
      }));
      await timeRequests(server.url, byRelevance.slice(0, 20));
      const relevanceTimes = await timeRequests(server.url, byRelevance);
      const isShort = (text: string) => text.replaceAll(/[%_]/g, '').trim().length < 3;
      const longTimes = await timeSearches(all.filter((text) => !isShort(text)));
      const shortTimes = await timeSearches(all.filter(isShort));
      const row = (name: string, what: string, catalog: number, maxMs: number): Row => ({
        name,
        what: `${what} of ${releases} releases`,
        unit: 'ms',
        catalog,
        reference,
        against: 'a scan of all names with LIKE',
        targets: [{ of: 'catalog', most: maxMs }],
      });
      return [
        row('search', 'searches from 3 characters on, p95,', quantile(longTimes, 0.95), 10),
        row('search-p99', 'searches from 3 characters on, p99,', quantile(longTimes, 0.99), 25),
        row('search-short', 'searches for 1 or 2 characters, p95,', quantile(shortTimes, 0.95), 15),
        row('search-relevance', 'searches by relevance, p95,', quantile(relevanceTimes, 0.95), 15),
      ];
    } finally {
      await server.stop();
    }
  },
};

/**
 * Returns the median duration of a scan, in milliseconds. Throws if a search and the scan find
 * different numbers of releases or different first pages.
 */
async function compareWithScans(url: string, data: string, all: readonly string[]) {
  const database = new Database(join(data, 'catalog.db'), { readonly: true });
  try {
    const scan = database
      .prepare('SELECT id, name FROM release WHERE name LIKE ?')
      .safeIntegers(false);
    const times: number[] = [];
    for (let i = 0; i < comparedSearches; i += 1) {
      const text = all[Math.floor((i * all.length) / comparedSearches)] ?? '';
      const start = performance.now();
      const found = scan.all(`%${text}%`) as { id: number; name: string }[];
      times.push(performance.now() - start);
      const path = `/api/releases?include=total&q=${encodeURIComponent(text)}`;
      const page = await fetchJson<{ total: number; items: { id: number }[] }>(url, path);
      const ids = new Set(found.map(({ id }) => id));
      const areFound = page.items.every(({ id }) => ids.has(id));
      const expected = Math.min(50, found.length);
      if (page.total !== found.length || !areFound || page.items.length !== expected) {
        throw new Error(`q=${text}: ${page.total} found, a scan finds ${found.length}`);
      }
    }
    return median(times);
  } finally {
    database.close();
  }
}
