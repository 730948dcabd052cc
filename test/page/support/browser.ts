import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { describe } from 'vitest';
import { recordFirstInput } from './audit.ts';
import { watchRequests } from './wait-until-idle.ts';

const isHeaded = process.env.HEADED === '1';

/**
 * Path of the browser under test: `CHROMIUM_PATH`, or else Debian's Chromium. Prefers its headless
 * shell, the same engine without a window, which uses less CPU time. Undefined if none is
 * installed.
 */
export const chromiumPath = [
  process.env.CHROMIUM_PATH,
  ...(isHeaded ? [] : ['/usr/bin/chromium-headless-shell']),
  '/usr/bin/chromium',
].find((path) => path !== undefined && path !== '' && existsSync(path));

/**
 * Defines a suite that uses a browser. If the suite is skipped, the suite's name contains the
 * reason.
 */
export function describeInBrowser(name: string, tests: () => void, tags: 'full'[] = []): void {
  const why =
    chromiumPath === undefined ? ' (skipped: needs Chromium; CHROMIUM_PATH names one)' : '';
  describe.skipIf(why !== '')(`${name}${why}`, { timeout: TEST_MS, tags }, tests);
}

// The timeouts are generous, because a browser can be slow.
const TEST_MS = 120_000;
const ACTION_MS = 60_000;

// Flags to run as root in a closed network: without a sandbox, and without the browser's own
// requests.
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
  /**
   * Faults in any page of the browser: uncaught errors, content that the content security policy
   * blocked, other console errors, and warnings of Svelte.
   */
  readonly faults: string[];
  /** Opens another tab in the same browser. */
  newTab(): Promise<Page>;
  close(): Promise<void>;
}

let shared: Promise<Browser> | undefined;

/** Closes the browser that the visits of a test file share. */
export async function closeBrowser(): Promise<void> {
  await (await shared)?.close();
  shared = undefined;
}

async function launch(args: readonly string[]): Promise<Browser> {
  // Import dynamically, because a file without a selected test does not need this package.
  const { chromium } = await import('playwright-core');
  const executablePath = chromiumPath ?? '';
  return chromium.launch({
    executablePath,
    headless: !isHeaded,
    args: [...flags, ...args],
  });
}

/**
 * Opens a new visitor with separate storage. Records the faults in all its pages. With `args`, the
 * visitor gets a separate browser.
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
  await context.addInitScript(logPolicyReports);
  await context.addInitScript(recordFirstInput);
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

/** Logs reports of the content security policy to the console. Runs in each page. */
function logPolicyReports(): void {
  addEventListener('securitypolicyviolation', (event) => {
    console.error(`blocked: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
  });
}

/** Ends a visit. Throws if a fault was recorded in the browser during the visit. */
export async function leave(visitor: Visitor): Promise<void> {
  await visitor.close();
  if (visitor.faults.length > 0) throw new Error(`in the browser: ${visitor.faults.join('\n')}`);
}

const output = join(import.meta.dirname, '../../..', 'test-output');

/** Saves a screenshot for manual inspection. Does nothing unless `PICTURES` is 1. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.PICTURES !== '1') return;
  await mkdir(output, { recursive: true });
  await page.screenshot({ path: join(output, `${name}.png`) });
}
