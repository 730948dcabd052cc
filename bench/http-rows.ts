import autocannon from 'autocannon';
import { type Answer, answersOf, askJson } from './answers.ts';
import type { Row } from './table.ts';
import { startChild, startServer } from './work.ts';

const connections = 16;
const rounds = 2;
const secondsPerRound = 2;
const warmUpSeconds = 1;

interface Load {
  readonly what: string;
  readonly paths: readonly string[];
}

/** Lists and details of a filled data folder, against a bare server that answers the same bytes. */
export async function httpRows(options: { data: string; releases: number }): Promise<Row[]> {
  const catalog = await startServer(options.data);
  try {
    const rows: Row[] = [];
    for (const load of await loads(catalog.url, options.releases)) {
      rows.push(await measure(catalog.url, load));
    }
    return rows;
  } finally {
    await catalog.stop();
  }
}

async function loads(url: string, releases: number): Promise<Load[]> {
  const of = `of ${releases} releases`;
  const samples = await sampleReleases(url, releases);
  const pages = samples.map(({ offset }) => `/api/releases?offset=${offset}`);
  const searches = samples.map(({ name }) => `/api/releases?q=${encodeURIComponent(wordOf(name))}`);
  return [
    { what: `hot list page ${of}`, paths: ['/api/releases'] },
    { what: `cold list pages ${of}`, paths: pages },
    { what: `searches ${of}`, paths: [...new Set(searches)] },
    { what: `details ${of}`, paths: samples.map(({ id }) => `/api/releases/${id}`) },
  ];
}

interface Sample {
  readonly id: number;
  readonly name: string;
  readonly offset: number;
}

/** A hundred releases, evenly spread over the list. */
async function sampleReleases(url: string, releases: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let i = 0; i < 100; i += 1) {
    const offset = Math.floor((i * releases) / 100);
    const path = `/api/releases?limit=1&offset=${offset}`;
    const { items } = await askJson<{ items: { id: number; name: string }[] }>(url + path);
    for (const { id, name } of items) samples.push({ id, name, offset });
  }
  return samples;
}

/** What somebody would search for: the longest word. */
function wordOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [name];
  return words.reduce((best, word) => (word.length > best.length ? word : best));
}

async function measure(url: string, { what, paths }: Load): Promise<Row> {
  const answers = await answersOf(url, paths);
  const bare = await startChild<{ url: string }>('bare-server.ts', answers);
  try {
    await loaded(bare.answer.url, paths, warmUpSeconds);
    await loaded(url, paths, warmUpSeconds);
    // In turns, so that other work on the machine meets both.
    const reference: Measured[] = [];
    const catalog: Measured[] = [];
    for (let round = 0; round < rounds; round += 1) {
      reference.push(await loaded(bare.answer.url, paths, secondsPerRound));
      catalog.push(await loaded(url, paths, secondsPerRound));
    }
    return {
      what,
      unit: 'answers/s',
      catalog: perSecond(catalog),
      reference: perSecond(reference),
      against: 'bare node:http, same bytes',
      ratio: perSecond(reference) / perSecond(catalog),
      detail: {
        catalogP99Ms: Math.max(...catalog.map(({ p99Ms }) => p99Ms)),
        referenceP99Ms: Math.max(...reference.map(({ p99Ms }) => p99Ms)),
        bytesOnAverage: bytesOnAverage(answers),
      },
    };
  } finally {
    await bare.stop();
  }
}

interface Measured {
  readonly perSecond: number;
  readonly p99Ms: number;
}

async function loaded(url: string, paths: readonly string[], seconds: number): Promise<Measured> {
  const requests = paths.map((path) => ({ path }));
  const result = await autocannon({ url, connections, requests, duration: seconds });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${failed} of the requests to ${url} failed`);
  return { perSecond: result.requests.total / result.duration, p99Ms: result.latency.p99 };
}

function perSecond(measured: readonly Measured[]): number {
  return measured.reduce((sum, each) => sum + each.perSecond, 0) / measured.length;
}

function bytesOnAverage(answers: Record<string, Answer>): number {
  const sizes = Object.values(answers).map(({ body }) => Buffer.byteLength(body, 'base64'));
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / sizes.length);
}
