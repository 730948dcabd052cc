import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { describe } from 'vitest';
import { noteFirstInput } from './audit.ts';
import { watchRequests } from './settle.ts';

/** The browser that the tests drive: Debian's, or the one that `CHROMIUM_PATH` names. Null where there is none. */
export const chromiumPath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
);

/** A suite that drives a browser; its name says why it is skipped where there is none. */
export function describeInBrowser(name: string, tests: () => void, tags: 'full'[] = []): void {
  const why =
    chromiumPath === undefined ? ' (skipped: needs Chromium; CHROMIUM_PATH names one)' : '';
  describe.skipIf(why !== '')(`${name}${why}`, { timeout: TEST_MS, tags }, tests);
}

// A browser takes many times as long on a busy machine.
const TEST_MS = 120_000;
const ACTION_MS = 60_000;

// As root in a closed network: no sandbox, and none of the browser's own calls out.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What went wrong in any of its pages: uncaught errors, and what the policy blocked. */
  readonly faults: string[];
  /** Another tab of the same browser. */
  newTab(): Promise<Page>;
  close(): Promise<void>;
}

let shared: Promise<Browser> | undefined;

/** Ends the browser that the visits of a test file share. */
export async function closeBrowser(): Promise<void> {
  await (await shared)?.close();
  shared = undefined;
}

async function launch(args: readonly string[]): Promise<Browser> {
  // late: files of which no test is run have no use for it
  const { chromium } = await import('playwright-core');
  const executablePath = chromiumPath ?? '';
  return chromium.launch({
    executablePath,
    headless: process.env.HEADED !== '1',
    args: [...flags, ...args],
  });
}

/**
 * A new visitor, who shares nothing with others; every uncaught error and every report of the policy is noted. `args`
 * ask for a browser of its own.
 */
export async function visit(
  url: string,
  options: BrowserContextOptions & { readonly args?: readonly string[] } = {},
): Promise<Visitor> {
  const { args, ...rest } = options;
  shared ??= launch([]);
  const browser = args ? await launch(args) : await shared;
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-GB',
    viewport: { width: 1440, height: 900 },
    ...rest,
  });
  context.setDefaultTimeout(ACTION_MS);
  const faults: string[] = [];
  await context.addInitScript(noteReports);
  await context.addInitScript(noteFirstInput);
  const watch = (page: Page) => {
    watchRequests(page);
    page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
    page.on('console', (message) => {
      const text = message.text();
      if (text.startsWith('blocked: ') || /Content Security Policy/i.test(text)) faults.push(text);
      else if (message.type() === 'warning' && text.includes('svelte.dev')) faults.push(text);
      else if (message.type() === 'error' && !/^Failed to load resource/.test(text))
        faults.push(text);
    });
  };
  context.on('page', watch);
  const page = await context.newPage();
  return {
    context,
    page,
    faults,
    newTab: () => context.newPage(),
    async close() {
      await context.close();
      if (args) await browser.close();
    },
  };
}

/** Runs in each page: the policy's reports as lines of the console. */
function noteReports(): void {
  addEventListener('securitypolicyviolation', (event) => {
    console.error(`blocked: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
  });
}

/** Ends a visit; it fails when anything went wrong in the browser meanwhile. */
export async function leave(visitor: Visitor): Promise<void> {
  await visitor.close();
  if (visitor.faults.length > 0) throw new Error(`in the browser: ${visitor.faults.join('\n')}`);
}

const output = join(import.meta.dirname, '..', '..', 'test-output');

/** Saves what is seen, for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(output, { recursive: true });
  await page.screenshot({ path: join(output, `${name}.png`) });
}
