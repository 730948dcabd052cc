import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testFirstOfEach } from '../../support/first-of-each.ts';
import { audit } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from '../support/browser.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { openPage } from '../support/visitors.ts';
import { waitUntilIdle } from '../support/wait-until-idle.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search', exact: true });
const tiles = (page: Page) => page.locator('[data-index]');
const marks = (page: Page) => page.locator('main mark');
const isList = (url: URL) => url.pathname === '/api/releases';

/** Returns the matches that an element with hidden overflow cuts off. Runs in the page. */
const cutMarks = (page: Page) =>
  page.evaluate(() => {
    const hides = (element: Element) => getComputedStyle(element).overflowX !== 'visible';
    return [...document.querySelectorAll('main mark')].flatMap((mark) => {
      const box = mark.closest('.name a, .name, .platform, .serial');
      if (box === null || !hides(box)) return [];
      const frame = box.getBoundingClientRect();
      const isOut = [...mark.getClientRects()].some(
        (rect) => rect.bottom > frame.bottom + 4 || rect.right > frame.right + 1,
      );
      return isOut ? [box.textContent] : [];
    });
  });

describeInBrowser('the search box', () => {
  for (const [path, role] of [
    ['/account', 'user'],
    ['/platforms', 'user'],
    ['/store', 'anonymous'],
    ['/imports', 'editor'],
  ] as const) {
    const tags: 'full'[] = path === '/account' ? [] : ['full'];
    test(`searches while the user types on ${path}, and Back returns there`, { tags }, async () => {
      const { page } = await openPage(server, role);
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await box(page).click();
      await page.keyboard.type('raci', { delay: 5 });
      // A search for the first letters may find as many releases, so wait for the whole text first.
      await page.waitForURL((url) => url.searchParams.get('search') === 'raci');
      await page.getByText('60 releases').waitFor();
      expect(await box(page).inputValue()).toBe('raci');
      expect(await box(page).evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent))
        .toContain('Racing');
      await page.goBack();
      await expect.poll(() => new URL(page.url()).pathname).toBe(path);
    });
  }

  test('waits for Enter while a release has unsaved changes', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto(`/releases/${await server.idOf('Racing 5')}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('form', { name: 'Editing' });
    await form.getByLabel('Genre').fill('Chess');
    await box(page).click();
    await page.keyboard.type('raci');
    await waitUntilIdle(page);
    expect(new URL(page.url()).pathname).toMatch(/^\/releases\/\d+$/);
    expect(await form.getByLabel('Genre').inputValue()).toBe('Chess');
    await page.keyboard.press('Enter');
    await page.getByText('60 releases').waitFor();
  });

  test('reports that a search failed, and shows no results of an earlier search', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases?search=amber');
    await tiles(page).first().waitFor();
    const broken = (url: URL) => isList(url) && url.searchParams.get('search') !== 'amber';
    await page.route(broken, (route) =>
      route.fulfill({ status: 500, json: { detail: 'internal error' } }),
    );
    await box(page).fill('zephyr');
    await page.getByText('The server reported an error. Try again.').waitFor();
    expect([await tiles(page).count(), await page.getByText(/\d releases/).count()]).toEqual([
      0, 0,
    ]);
    expect(await audit(page)).toEqual([]);
    await box(page).fill('amber');
    await tiles(page).first().waitFor();
    expect(await page.getByText('The server reported an error').count()).toBe(0);
    await box(page).fill('zephyr');
    await page.getByText('The server reported an error. Try again.').waitFor();
    await page.unroute(broken);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => tiles(page).first().textContent()).toContain('Zephyr');
  });
});

describeInBrowser('the matches of a search', () => {
  testFirstOfEach(['light', 'dark'])('are marked in tiles and rows (%s)', async (scheme) => {
    const { page } = await openPage(server, 'anonymous', { colorScheme: scheme });
    await page.goto('/releases?search=acing+amb');
    await marks(page).first().waitFor();
    const [first = ''] = await tiles(page).locator('.name').allTextContents();
    const marked = await tiles(page).first().locator('mark').allTextContents();
    expect(marked.map((text) => text.toLowerCase()).sort()).toEqual(['acing', 'amb']);
    expect(first.trim().replace(/\s+/g, ' ')).toMatch(/^Amber Racing \d+ \(Europe\)$/);
    await waitUntilIdle(page);
    await picture(page, `matches-1440-${scheme}`);
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('v');
    await page.getByRole('table').waitFor();
    await marks(page).first().waitFor();
    await waitUntilIdle(page);
    expect(await audit(page)).toEqual([]);
  });

  test('include the serial only if it was searched', async () => {
    const { page } = await openPage(server, 'anonymous', { width: 320 });
    await page.goto('/releases?search=ulus10007');
    await page.getByText('1 release', { exact: true }).waitFor();
    expect(await marks(page).allTextContents()).toEqual(['ULUS-10007']);
    expect(await cutMarks(page)).toEqual([]);
    await page.goto('/releases?search=racing');
    await marks(page).first().waitFor();
    const texts = await marks(page).allTextContents();
    expect([...new Set(texts)]).toEqual(['Racing']);
  });

  test.each([
    [320, 'covers'],
    [320, 'table'],
    [1440, 'covers'],
    [1440, 'table'],
  ])('are never cut off at %i px (%s)', { tags: ['full'] }, async (width, view) => {
    const { page } = await openPage(server, 'anonymous', { width });
    await page.goto('/releases');
    await tiles(page).first().waitFor();
    if (view === 'table') await page.getByRole('button', { name: 'Table' }).click();
    for (const search of [
      'japan very',
      'ace japan',
      'alert',
      'onerror',
      'portable',
      'usa',
      'ulus-1',
    ]) {
      await page.goto(`/releases?search=${search.replace(' ', '+')}`);
      await page.getByRole('button', { name: `Remove search: ${search}` }).waitFor();
      await waitUntilIdle(page);
      expect([search, await cutMarks(page)]).toEqual([search, []]);
    }
    await page.goto('/releases?search=japan+very');
    await page.getByText('1 release', { exact: true }).waitFor();
    await waitUntilIdle(page);
    const texts = await marks(page).allTextContents();
    expect(texts).toContain('Japan');
    await picture(page, `cut-off-${width}-${view}`);
    const name = await page.getByRole('link', { name: /Very Long Name Very Long/ }).count();
    expect(name).toBe(1);
  });
});

describeInBrowser('the letter index', () => {
  test('leads to the first release of a letter in the order by title', async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases');
    for (const letter of ['B', 'P', 'T', 'Z']) {
      await page.getByRole('button', { name: `Jump to ${letter}`, exact: true }).click();
      await expect.poll(() => page.url()).toMatch(/at=\d+/);
      const at = Number(new URL(page.url()).searchParams.get('at'));
      const list = await fetch(`${server.url}/api/releases?order=title&limit=500`);
      const { items } = (await list.json()) as { items: { name: string }[] };
      const names = items.map(({ name }) => name.replace(/^The /, '').toUpperCase());
      const first = names.findIndex((name) => name.startsWith(letter));
      // The row of the first visible release contains the first release of the letter.
      expect(first - at).toBeGreaterThanOrEqual(0);
      expect(first - at).toBeLessThan(20);
      await page.locator(`[data-index="${first}"]`).waitFor();
      await page.goto('/releases');
    }
  });
});
