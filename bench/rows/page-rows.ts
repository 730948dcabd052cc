import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { median } from '../../measure/median.ts';
import { startServer } from '../../measure/program.ts';
import { timeImport } from '../../measure/timed-import.ts';
import { demoReleases } from '../../src/demo/demo-releases.ts';
import { drawCover } from '../../src/demo/draw-cover.ts';
import { drawSvgs } from '../../src/images/draw-svg.ts';
import { startChild } from '../child.ts';
import { fetchJson, fetchResponses } from '../responses.ts';
import type { Bench, Row } from '../row.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const shownReleases = 170_000;
const rounds = 7;
const viewport = { width: 1440, height: 900 };
const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];

interface List {
  readonly items: readonly { readonly id: number; readonly name: string }[];
}

/**
 * Measures the web page in a browser. One row is the time until the covers of the first view are
 * drawn. The other is the time from a keystroke in the search to its results.
 */
export const pageBench: Bench = {
  rows: ['first-covers', 'keystroke'],
  skipReason: () => (existsSync(executablePath) ? null : 'no Chromium (CHROMIUM_PATH names one)'),
  measure: async (work) => {
    const data = join(await work.folder('page'), 'data');
    const { releases } = await timeImport(await work.dats(shownReleases), data);
    return pageRows(data, releases);
  },
};

async function pageRows(data: string, releases: number): Promise<Row[]> {
  const catalog = await startServer(data);
  const browser = await chromium.launch({ executablePath, args: flags });
  try {
    await storeCovers(catalog.url, data);
    const ofReleases = `of ${releases} releases`;
    const covers = await measureFirstCovers(browser, catalog.url);
    const results = await measureKeystrokes(browser, catalog.url, releases);
    return [
      { name: 'first-covers', what: `first covers ${ofReleases}`, ...covers },
      { name: 'keystroke', what: `keystroke to results ${ofReleases}`, ...results },
    ];
  } finally {
    await browser.close();
    await catalog.stop();
  }
}

/** Stores covers for the first releases of the list. */
async function storeCovers(url: string, data: string): Promise<void> {
  const pictures = await drawSvgs(demoReleases.map(drawCover));
  const { items } = await fetchJson<List>(url, `/api/releases?limit=${pictures.length}`);
  await mkdir(join(data, 'covers'), { recursive: true });
  for (const [index, { id }] of items.entries()) {
    await writeFile(join(data, 'covers', `${id}.webp`), pictures[index] ?? '');
  }
}

type Figures = Omit<Row, 'name' | 'what'>;

/**
 * Measures the time from the start of a navigation, with nothing cached, until all pictures of the
 * view are decoded.
 */
async function measureFirstCovers(browser: Browser, url: string): Promise<Figures> {
  const pictures = await recordPicturePaths(browser, url);
  const images = pictures.map((path) => `<img src="${path}" alt="" height="240">`);
  const body = Buffer.from(`<!doctype html><title>x</title>${images.join('')}`).toString('base64');
  const bare = await startChild<{ url: string }>('bare/bare-server.ts', {
    ...(await fetchResponses(
      url,
      pictures.map((path) => ({ path })),
    )),
    '/': { status: 200, headers: { 'content-type': 'text/html' }, body },
  });
  try {
    const reference: number[] = [];
    const catalog: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      reference.push(await measureUntilDrawn(browser, bare.reply.url, pictures.length));
      catalog.push(await measureUntilDrawn(browser, url, pictures.length));
    }
    return figures(catalog, reference, 'bare HTML with the same pictures');
  } finally {
    await bare.stop();
  }
}

/**
 * Returns the paths of the pictures that the page requests for its first view. The requests also
 * make the server generate the pictures.
 */
async function recordPicturePaths(browser: Browser, url: string): Promise<string[]> {
  const page = await browser.newPage({ viewport });
  const requested = new Set<string>();
  page.on('request', (request) => {
    const path = request.url().slice(url.length);
    if (path.startsWith('/api/cover/')) requested.add(path);
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.close();
  if (requested.size === 0) throw new Error('the page shows no covers: was it built?');
  return [...requested];
}

async function measureUntilDrawn(browser: Browser, url: string, pictures: number): Promise<number> {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'commit' });
  const ms = await page.evaluate<number>(pageScripts.untilDrawn(pictures));
  await context.close();
  return ms;
}

/**
 * Measures the time from a keystroke event until the first result is shown. The reference is the
 * response alone, fetched by the browser.
 */
async function measureKeystrokes(
  browser: Browser,
  url: string,
  releases: number,
): Promise<Figures> {
  const page = await browser.newPage({ viewport });
  const reference: number[] = [];
  const catalog: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The page already shows the first release of the list, so search for one further down.
    const offset = Math.floor(((round + 0.5) * releases) / rounds);
    const { items } = await fetchJson<List>(url, `/api/releases?limit=1&offset=${offset}`);
    const word = /[\p{L}\p{N}]{4,}/u.exec(items[0]?.name ?? '')?.[0] ?? 'game';
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.getByRole('searchbox').focus();
    await page.evaluate(pageScripts.watch);
    const listRequest = page.waitForRequest((request) => request.url().includes('/api/releases?'));
    await page.keyboard.insertText(word);
    catalog.push(await page.evaluate<number>(pageScripts.results));
    reference.push(await page.evaluate<number>(pageScripts.timeFetch((await listRequest).url())));
  }
  await page.close();
  return figures(catalog, reference, 'the response alone');
}

// Code that runs in the page, passed as text because its globals do not exist in the types of a
// Node program.
const pageScripts = {
  /**
   * Resolves to the milliseconds from the start of the navigation until `count` pictures are
   * loaded.
   */
  untilDrawn: (count: number) => `new Promise((resolve) => {
    const poll = () => {
      const images = [...document.images].filter((image) => image.complete && image.naturalWidth > 0);
      if (images.length >= ${count}) resolve(performance.now());
      else requestAnimationFrame(poll);
    };
    poll();
  })`,
  /** Registers a listener for the next keystroke. `results` is the promise of its outcome. */
  watch: `globalThis.results = new Promise((resolve, reject) => {
    const first = () => document.querySelector('main a[href^="/releases/"]')?.getAttribute('href');
    const onInput = () => {
      const [start, before] = [performance.now(), first()];
      const poll = () => {
        const ms = performance.now() - start;
        if (first() !== undefined && first() !== before) resolve(ms);
        else if (ms > 20_000) reject(new Error('the results do not come'));
        else requestAnimationFrame(poll);
      };
      poll();
    };
    addEventListener('input', onInput, { once: true, capture: true });
  }), undefined`,
  /** Resolves to the milliseconds from the keystroke until a different release is shown first. */
  results: 'globalThis.results',
  timeFetch: (url: string) => `(async () => {
    const start = performance.now();
    await (await fetch(${JSON.stringify(url)})).json();
    return performance.now() - start;
  })()`,
};

function figures(catalog: number[], reference: number[], against: string): Figures {
  const [ours, theirs] = [median(catalog), median(reference)];
  return { unit: 'ms', catalog: ours, reference: theirs, against, targets: [] };
}
