import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminPassword, startServer } from '../../measure/program.ts';
import { demoReleases } from '../../src/demo/demo-releases.ts';
import { drawCover } from '../../src/demo/draw-cover.ts';
import { drawSvgs } from '../../src/images/draw-svg.ts';
import { type Ask, answerOf, answersOf } from '../answers.ts';
import { startChild } from '../child.ts';
import { type Sample, sampleReleases, wordOf } from '../data/samples.ts';
import { loaded, type Measured } from '../loaded.ts';
import { type Bench, median, type Row } from '../row.ts';

const releases = 100_000;
const rounds = 3;
const secondsPerRound = 1.5;
const warmUpSeconds = 1;

interface Load {
  readonly what: string;
  /** Target: minimum ratio of the catalog's requests per second to the reference's. */
  readonly least?: number;
  /** Gives each request a different URL, so that no response comes from the cache. */
  readonly isEachAnother?: true;
  asks(url: string): Promise<readonly Ask[]> | readonly Ask[];
}

const list = '/api/releases';
/** The loads, by row name. */
export const loads: Readonly<Record<string, Load>> = {
  'hot-list': { what: 'hot list page', least: 0.55, asks: () => [{ path: list }] },
  'unchanged-list': {
    what: 'hot list page, known by its ETag',
    least: 0.55,
    asks: async (url) => {
      const { etag } = (await answerOf(url, { path: list })).headers;
      return [{ path: list, ...(etag !== undefined && { headers: { 'if-none-match': etag } }) }];
    },
  },
  'cold-lists': {
    what: 'list pages at random offsets, with filters, none again',
    least: 0.14,
    asks: async (url) => coldLists(await sampleReleases(url)),
    isEachAnother: true,
  },
  'lists-again': {
    what: 'a hundred list pages again and again',
    asks: async (url) => {
      const pages = (await sampleReleases(url)).map(({ offset }) => `${list}?offset=${offset}`);
      const regions = ['USA', 'Japan', 'Europe'].map((region) => `${list}?region=${region}`);
      return [...pages, ...regions].map((path) => ({ path }));
    },
  },
  searches: {
    what: 'searches for a hundred words again and again',
    asks: async (url) => {
      const words = (await sampleReleases(url)).map(({ name }) => encodeURIComponent(wordOf(name)));
      return [...new Set(words)].map((word) => ({ path: `${list}?q=${word}` }));
    },
  },
  'cold-searches': {
    what: 'searches for a word, none again',
    asks: async (url) => {
      const words = (await sampleReleases(url)).map(({ name }) => encodeURIComponent(wordOf(name)));
      return words.map((word) => ({ path: `${list}?q=${word}` }));
    },
    isEachAnother: true,
  },
  'cold-details': {
    what: 'details of releases, none again',
    least: 0.3,
    asks: async (url) => (await sampleReleases(url)).map(({ id }) => ({ path: `${list}/${id}` })),
    isEachAnother: true,
  },
  details: {
    what: 'a hundred details again and again',
    asks: async (url) => (await sampleReleases(url)).map(({ id }) => ({ path: `${list}/${id}` })),
  },
  me: {
    what: 'GET /auth/me with a token',
    least: 0.4,
    asks: async (url) => [{ path: '/api/auth/me', headers: await signedIn(url) }],
  },
  thumbnail: {
    what: 'a cover, 240 pixels wide',
    least: 0.6,
    asks: () => [{ path: '/api/cover/1?width=240' }],
  },
};

/**
 * Loads that are also measured with `--workers 2`. The reference is still the bare server with one
 * process.
 */
const byTwo = ['hot-list', 'cold-lists', 'cold-details'];
const withTwo = (name: string) => `${name}-2-workers`;

/**
 * Measures responses of a server with a filled data folder. The reference is a bare server that
 * sends the same bytes.
 */
export const httpBench: Bench = {
  rows: [...Object.keys(loads), ...byTwo.map(withTwo)],
  measure: async (work, isWanted) => {
    const data = await work.catalogue(releases);
    await hangCover(data);
    const own = Object.entries(loads).filter(([name]) => isWanted(name));
    const ofTwo = byTwo
      .filter((name) => isWanted(withTwo(name)))
      .flatMap((name) => {
        const { what, asks, isEachAnother } = loads[name] as Load;
        const load = {
          what: `${what}, by two workers`,
          asks,
          ...(isEachAnother && { isEachAnother }),
        };
        return [[withTwo(name), load] as const];
      });
    return [
      ...(await measureAll(data, [], own)),
      ...(await measureAll(data, ['--workers', '2'], ofTwo)),
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

/** Returns requests for 300 pages spread irregularly over the list, some of them with filters. */
function coldLists(samples: readonly Sample[]): Ask[] {
  const last = samples.at(-1)?.offset ?? 0;
  const anywhere = Array.from(
    { length: 300 },
    (_, i) => `${list}?offset=${(i * 7_919_003) % last}`,
  );
  const narrowed = ['region=USA', 'region=Japan', 'region=Europe', 'system=games'].flatMap(
    (filter) => [0, 300, 2_000].map((offset) => `${list}?${filter}&offset=${offset}`),
  );
  return [...anywhere, ...narrowed].map((path) => ({ path }));
}

async function hangCover(data: string): Promise<void> {
  const [picture = ''] = await drawSvgs(demoReleases.slice(0, 1).map(drawCover));
  await mkdir(join(data, 'covers'), { recursive: true });
  await writeFile(join(data, 'covers', '1.webp'), picture);
}

async function signedIn(url: string): Promise<Record<string, string>> {
  const body = JSON.stringify({ username: 'admin', password: adminPassword });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body });
  const { token } = (await answer.json()) as { token: string };
  return { authorization: `Bearer ${token}` };
}

async function measure(
  url: string,
  name: string,
  { what, least, asks, isEachAnother }: Load,
): Promise<Row> {
  const sent = await asks(url);
  const answers = await answersOf(url, sent);
  const bare = await startChild<{ url: string }>('bare/bare-server.ts', answers);
  try {
    await loaded(bare.answer.url, sent, warmUpSeconds, isEachAnother);
    await loaded(url, sent, warmUpSeconds, isEachAnother);
    // Measures both servers alternately, so that other work on the machine affects both.
    const reference: Measured[] = [];
    const catalog: Measured[] = [];
    for (let round = 0; round < rounds; round += 1) {
      reference.push(await loaded(bare.answer.url, sent, secondsPerRound, isEachAnother));
      catalog.push(await loaded(url, sent, secondsPerRound, isEachAnother));
    }
    const sizes = Object.values(answers).map(({ body }) => Buffer.byteLength(body, 'base64'));
    return {
      name,
      what,
      unit: 'answers/s',
      catalog: median(catalog.map(({ perSecond }) => perSecond)),
      reference: median(reference.map(({ perSecond }) => perSecond)),
      against: 'bare node:http, same bytes',
      targets: least === undefined ? [] : [{ of: 'ratio', least }],
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
