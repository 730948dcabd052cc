import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { median } from '../../measure/median.ts';
import { adminPassword, startServer } from '../../measure/program.ts';
import { demoReleases } from '../../src/demo/demo-releases.ts';
import { drawCover } from '../../src/demo/draw-cover.ts';
import { drawSvgs } from '../../src/images/draw-svg.ts';
import { startChild } from '../child.ts';
import { type Sample, sampleReleases, wordOf } from '../data/samples.ts';
import { type LoadFigures, measureLoad } from '../measure-load.ts';
import { type BenchRequest, fetchResponse, fetchResponses } from '../responses.ts';
import type { Bench, Row } from '../row.ts';

const releases = 100_000;
const rounds = 3;
const secondsPerRound = 1.5;
const warmUpSeconds = 1;

interface Load {
  readonly what: string;
  /** Target: minimum ratio of the catalog's requests per second to the reference's. */
  readonly minRatio?: number;
  /** Gives each request a different URL, so that no response comes from the cache. */
  readonly usesUniqueUrls?: true;
  createRequests(url: string): Promise<readonly BenchRequest[]> | readonly BenchRequest[];
}

const list = '/api/releases';
/** The loads, by row name. */
export const loads: Readonly<Record<string, Load>> = {
  'hot-list': { what: 'hot list page', minRatio: 0.55, createRequests: () => [{ path: list }] },
  'unchanged-list': {
    what: 'hot list page, known by its ETag',
    minRatio: 0.55,
    createRequests: async (url) => {
      const { etag } = (await fetchResponse(url, { path: list })).headers;
      return [{ path: list, ...(etag !== undefined && { headers: { 'if-none-match': etag } }) }];
    },
  },
  'cold-lists': {
    what: 'list pages at random offsets, with filters, none again',
    minRatio: 0.14,
    createRequests: async (url) => coldListRequests(await sampleReleases(url)),
    usesUniqueUrls: true,
  },
  'lists-again': {
    what: 'a hundred list pages again and again',
    createRequests: async (url) => {
      const pages = (await sampleReleases(url)).map(({ offset }) => `${list}?offset=${offset}`);
      const regions = ['USA', 'Japan', 'Europe'].map((region) => `${list}?region=${region}`);
      return [...pages, ...regions].map((path) => ({ path }));
    },
  },
  searches: {
    what: 'searches for a hundred words again and again',
    createRequests: async (url) => {
      const words = (await sampleReleases(url)).map(({ name }) => encodeURIComponent(wordOf(name)));
      return [...new Set(words)].map((word) => ({ path: `${list}?q=${word}` }));
    },
  },
  'cold-searches': {
    what: 'searches for a word, none again',
    createRequests: async (url) => {
      const words = (await sampleReleases(url)).map(({ name }) => encodeURIComponent(wordOf(name)));
      return words.map((word) => ({ path: `${list}?q=${word}` }));
    },
    usesUniqueUrls: true,
  },
  'cold-details': {
    what: 'details of releases, none again',
    minRatio: 0.3,
    createRequests: async (url) =>
      (await sampleReleases(url)).map(({ id }) => ({ path: `${list}/${id}` })),
    usesUniqueUrls: true,
  },
  details: {
    what: 'a hundred details again and again',
    createRequests: async (url) =>
      (await sampleReleases(url)).map(({ id }) => ({ path: `${list}/${id}` })),
  },
  me: {
    what: 'GET /auth/me with a token',
    minRatio: 0.4,
    createRequests: async (url) => [{ path: '/api/auth/me', headers: await logInHeaders(url) }],
  },
  thumbnail: {
    what: 'a cover, 240 pixels wide',
    minRatio: 0.6,
    createRequests: () => [{ path: '/api/cover/1?width=240' }],
  },
};

/**
 * Loads that are also measured with `--workers 2`. The reference is still the bare server with one
 * process.
 */
const twoWorkerLoads = ['hot-list', 'cold-lists', 'cold-details'];
const twoWorkerName = (name: string) => `${name}-2-workers`;

/**
 * Measures responses of a server with a filled data folder. The reference is a bare server that
 * sends the same bytes.
 */
export const httpBench: Bench = {
  rows: [...Object.keys(loads), ...twoWorkerLoads.map(twoWorkerName)],
  measure: async (work, isWanted) => {
    const data = await work.catalogue(releases);
    await storeCover(data);
    const wantedLoads = Object.entries(loads).filter(([name]) => isWanted(name));
    const wantedTwoWorkerLoads = twoWorkerLoads
      .filter((name) => isWanted(twoWorkerName(name)))
      .flatMap((name) => {
        const { what, createRequests, usesUniqueUrls } = loads[name] as Load;
        const load = {
          what: `${what}, by two workers`,
          createRequests,
          ...(usesUniqueUrls && { usesUniqueUrls }),
        };
        return [[twoWorkerName(name), load] as const];
      });
    return [
      ...(await measureAll(data, [], wantedLoads)),
      ...(await measureAll(data, ['--workers', '2'], wantedTwoWorkerLoads)),
    ];
  },
};

/** Measures the loads on one server that is started with `options`. */
async function measureAll(
  data: string,
  options: readonly string[],
  wanted: readonly (readonly [string, Load])[],
): Promise<Row[]> {
  if (wanted.length === 0) return [];
  const catalog = await startServer(data, options);
  try {
    const rows: Row[] = [];
    for (const [name, load] of wanted) rows.push(await measure(catalog.url, name, load));
    return rows;
  } finally {
    await catalog.stop();
  }
}

/**
 * Returns requests for 300 pages, spread irregularly over the list, and for some filtered pages.
 */
function coldListRequests(samples: readonly Sample[]): BenchRequest[] {
  const last = samples.at(-1)?.offset ?? 0;
  const scattered = Array.from(
    { length: 300 },
    (_, i) => `${list}?offset=${(i * 7_919_003) % last}`,
  );
  const filtered = ['region=USA', 'region=Japan', 'region=Europe', 'system=games'].flatMap(
    (filter) => [0, 300, 2_000].map((offset) => `${list}?${filter}&offset=${offset}`),
  );
  return [...scattered, ...filtered].map((path) => ({ path }));
}

async function storeCover(data: string): Promise<void> {
  const [picture = ''] = await drawSvgs(demoReleases.slice(0, 1).map(drawCover));
  await mkdir(join(data, 'covers'), { recursive: true });
  await writeFile(join(data, 'covers', '1.webp'), picture);
}

async function logInHeaders(url: string): Promise<Record<string, string>> {
  const body = JSON.stringify({ username: 'admin', password: adminPassword });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body });
  const { token } = (await response.json()) as { token: string };
  return { authorization: `Bearer ${token}` };
}

async function measure(
  url: string,
  name: string,
  { what, minRatio, createRequests, usesUniqueUrls }: Load,
): Promise<Row> {
  const requests = await createRequests(url);
  const responses = await fetchResponses(url, requests);
  const bare = await startChild<{ url: string }>('bare/bare-server.ts', responses);
  try {
    await measureLoad(bare.reply.url, requests, warmUpSeconds, usesUniqueUrls);
    await measureLoad(url, requests, warmUpSeconds, usesUniqueUrls);
    // Measures both servers alternately, so that other work on the machine affects both.
    const reference: LoadFigures[] = [];
    const catalog: LoadFigures[] = [];
    for (let round = 0; round < rounds; round += 1) {
      reference.push(await measureLoad(bare.reply.url, requests, secondsPerRound, usesUniqueUrls));
      catalog.push(await measureLoad(url, requests, secondsPerRound, usesUniqueUrls));
    }
    const sizes = Object.values(responses).map(({ body }) => Buffer.byteLength(body, 'base64'));
    return {
      name,
      what,
      unit: 'answers/s',
      catalog: median(catalog.map(({ perSecond }) => perSecond)),
      reference: median(reference.map(({ perSecond }) => perSecond)),
      against: 'bare node:http, same bytes',
      targets: minRatio === undefined ? [] : [{ of: 'ratio', least: minRatio }],
      detail: {
        catalogP99Ms: Math.max(...catalog.map(({ p99Ms }) => p99Ms)),
        referenceP99Ms: Math.max(...reference.map(({ p99Ms }) => p99Ms)),
        bytesOnAverage: Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length),
      },
    };
  } finally {
    await bare.stop();
  }
}
