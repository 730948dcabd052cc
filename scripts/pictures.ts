// Takes screenshots of the page with the demo data for the README. Stores them in docs/pictures/.
// Needs Debian's Chromium, or CHROMIUM_PATH.
//   node scripts/setup.mjs && npx node scripts/pictures.ts
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { root } from './stamps.mjs';

const folder = mkdtempSync(join(tmpdir(), 'catalog-pictures-'));
const main = join(root, 'dist', 'main.js');
const demo = spawn(process.execPath, [main, 'serve', '--demo', '--port', '0'], {
  cwd: folder,
  stdio: ['ignore', 'pipe', 'ignore'],
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
});
try {
  const baseURL = await readUrl();
  // Sign in as a user: the page shows no paths of this machine to a user.
  const storageState = await signIn(baseURL);
  const desk = { baseURL, storageState, viewport: { width: 1440, height: 980 } };
  const low = { ...desk, viewport: { width: 1280, height: 690 } };
  const narrow = { width: 390, height: 780 };
  const phone = { ...desk, viewport: narrow, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
  await take('collection', { ...desk, colorScheme: 'light' }, showCollection);
  await take('release', { ...low, colorScheme: 'dark' }, showRelease);
  await take('phone', { ...phone, colorScheme: 'light' }, showCollection);
} finally {
  await browser.close();
  demo.kill();
  await new Promise((resolve) => demo.on('close', resolve));
  rmSync(folder, { recursive: true });
}

async function readUrl(): Promise<string> {
  for await (const line of createInterface({ input: demo.stdout })) {
    const [, url] = /^Catalog is at (\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the demo did not start: is dist built?');
}

async function signIn(baseURL: string): Promise<BrowserContextOptions['storageState']> {
  const context = await browser.newContext({ baseURL });
  const data = { username: 'user', password: 'user-demo', cookie: true };
  const response = await context.request.post('/api/auth/login', { data });
  if (!response.ok()) throw new Error(`the demo refuses its user: ${response.status()}`);
  const state = await context.storageState();
  await context.close();
  return state;
}

async function showCollection(page: Page): Promise<void> {
  await page.goto('/');
  await page
    .getByRole('link', { name: /Acorn Brigade/ })
    .last()
    .waitFor();
}

async function showRelease(page: Page): Promise<void> {
  await page.goto('/releases?platform=Sega+-+Mega+Drive+-+Genesis');
  await page
    .getByRole('link', { name: /Golden Reef/ })
    .first()
    .click();
  await page
    .getByRole('heading', { name: /Golden Reef/ })
    .first()
    .waitFor();
}

async function take(
  name: string,
  options: BrowserContextOptions,
  show: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  await show(page);
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 80 })
    .toBuffer();
  const file = join(root, 'docs', 'pictures', `${name}.webp`);
  mkdirSync(join(root, 'docs', 'pictures'), { recursive: true });
  writeFileSync(file, picture);
  console.log(`docs/pictures/${name}.webp: ${picture.length} bytes`);
  await context.close();
}
