/** @module-tag full */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeBrowser, describeInBrowser } from './support/browser.ts';
import { addLibraryFiles } from './support/prepared-library.ts';
import { openStockedServer, type StockedServer } from './support/stocked-server.ts';
import { openPage } from './support/visitors.ts';
import { waitUntilIdle } from './support/wait-until-idle.ts';

// These tests check the focus when a response is late or when the focused element disappears. The
// focus must never move to the start of the page.

let server: StockedServer;
beforeAll(async () => {
  server = await openStockedServer();
  await addLibraryFiles(server);
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

/**
 * Returns the visible name of the focused element, or "" if the focus is at the start of the page.
 */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return '';
    return plain(element.getAttribute('aria-label') ?? element.textContent);
    function plain(text: string | null) {
      return (text ?? '').trim().replace(/\s+/g, ' ');
    }
  });

const textOf = async (locator: Locator) =>
  (await locator.textContent())?.trim().replace(/\s+/g, ' ');

/** Holds back every response for matching URLs. Returns a function that releases the responses. */
async function holdBack(page: Page, pattern: RegExp): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    await promise;
    await route.continue().catch(() => {}); // The request may have been aborted in the meantime.
  });
  return async () => {
    resolve();
    await waitUntilIdle(page);
  };
}

const tiles = (page: Page) => page.locator('[data-index]');
const first = (_before: string, page: Page) => textOf(tiles(page).first());
const releases = /\/releases\?/;

describeInBrowser('the focus, when search results arrive late,', () => {
  for (const key of ['ArrowDown', 'Enter']) {
    test(`moves to the first result on ${key} only once that result has arrived`, async () => {
      const { page } = await openPage(server, 'anonymous');
      await page.goto('/releases');
      await tiles(page).first().waitFor();
      const release = await holdBack(page, releases);
      await page.keyboard.press('/');
      await page.keyboard.type('zeph');
      await page.keyboard.press(key);
      expect(await focused(page)).toBe('Search');
      await release();
      await expect.poll(() => focused(page)).toMatch(/Zephyr/);
      expect(await focused(page)).toBe(await textOf(tiles(page).first()));
      await page.keyboard.press('ArrowRight');
      expect(await focused(page)).toBe(await textOf(tiles(page).nth(1)));
    });
  }

  for (const [what, search, expected] of [
    ['stays on its release', 'amber', (before: string) => before],
    ['moves to the first result if its release is not found', 'zeph', first],
    ['moves to the message if nothing is found', 'nothing like this', () => 'No release matches'],
  ] as const) {
    test.for(['covers', 'table'])(`${what} (%s)`, async (view) => {
      const { page } = await openPage(server, 'anonymous');
      await page.goto('/releases');
      await tiles(page).first().waitFor();
      if (view === 'table') await page.keyboard.press('v');
      const release = await holdBack(page, releases);
      await page.getByRole('searchbox').fill(search);
      await page.getByRole('button', { name: /Remove search/ }).waitFor();
      await tiles(page).first().focus();
      for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight');
      const before = await focused(page);
      expect(before).toMatch(/^Amber/);
      await release();
      expect(await focused(page)).toBe(await expected(before, page));
      if (search.includes(' ')) return;
      expect(await page.locator('[data-index][tabindex="0"]:focus').count()).toBe(1);
    });
  }

  test('moves to the list when the letter index disappears', async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases');
    await tiles(page).first().waitFor();
    const release = await holdBack(page, releases);
    await page.getByRole('searchbox').fill('zeph');
    await page.getByRole('button', { name: 'Jump to S' }).focus();
    await release();
    await expect.poll(() => focused(page)).toMatch(/Zephyr/);
  });
});

describeInBrowser('the focus, when the focused element disappears,', () => {
  test('moves to a remaining control or the heading when a filter is removed', async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases?platform=Sony+-+PlayStation&search=racing');
    await page.getByRole('button', { name: /^Remove search/ }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).not.toContain('search');
    await expect.poll(() => focused(page)).toBe('Show all');
    await page.getByRole('button', { name: /^Remove.*PlayStation/ }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Platform');
    await page.goto('/releases?search=nothing+like+this');
    await page.getByRole('link', { name: 'Show all' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^4\d\d releases/).waitFor();
    await expect.poll(() => focused(page)).toBe('All releases');
  });

  test('returns to the list when the selection ends', async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/releases');
    await tiles(page).nth(2).focus();
    const name = await focused(page);
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Edit field' }).focus();
    await page.keyboard.press('Escape');
    await page.getByText('1 selected').waitFor({ state: 'hidden' });
    await expect.poll(() => focused(page)).toBe(name);
  });

  test('moves to the next archive of the store, or from the last to the previous one', async () => {
    const folder = join(server.data, 'store', 'videos');
    await mkdir(folder, { recursive: true });
    for (const name of ['a.zip', 'b.zip', 'c.zip', 'd.zip'])
      await writeFile(join(folder, name), name);
    // The list shows a manually added file within a second.
    const listed = `${server.url}/api/store?system=videos&search=&limit=10&offset=0`;
    await expect.poll(async () => (await fetch(listed)).text()).toContain('d.zip');
    const { page } = await openPage(server, 'editor');
    await page.goto('/store?system=videos');
    const remove = async (name: string) => {
      await page.getByRole('link', { name, exact: true }).focus();
      await page.keyboard.press('Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
    };
    await remove('b.zip');
    await expect.poll(() => focused(page)).toBe('c.zip');
    await remove('d.zip');
    await expect.poll(() => focused(page)).toBe('c.zip');
    const release = await holdBack(page, /\/api\/store\?/);
    await page.getByRole('searchbox', { name: /archives/ }).fill('a.zip');
    await page.getByRole('link', { name: 'c.zip' }).focus();
    await release();
    await expect.poll(() => focused(page)).toBe('a.zip');
  });

  test('is kept while the library is searched or filtered, and on a listed file', async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/library');
    const files = page.getByRole('table', { name: 'Files' }).getByRole('link');
    await files.first().waitFor();
    const search = page.getByRole('searchbox', { name: /files/ });
    await search.fill('a');
    await search.press('Enter');
    await expect.poll(() => page.url()).toContain('search=a');
    expect(await focused(page)).toMatch(/files/);
    await page.getByRole('link', { name: /^Unknown/ }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('state=unknown');
    await expect.poll(() => focused(page)).toMatch(/^Unknown/);

    await page.goto('/library');
    await files.first().waitFor();
    const release = await holdBack(page, /\/api\/.*files/);
    await page.getByRole('link', { name: /^Unknown/ }).click();
    await page.getByRole('link', { name: /^who-knows/ }).focus();
    await release();
    await expect.poll(() => files.count()).toBe(2);
    expect(await focused(page)).toMatch(/^who-knows/);
  });
});
