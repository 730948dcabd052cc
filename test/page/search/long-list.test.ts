/** @module-tag full */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApp } from '../../support/http/app.ts';
import { closeBrowser, describeInBrowser } from '../support/browser.ts';
import { openPage } from '../support/visitors.ts';

const total = 1_000_000;
/** Number of pixels by which one notch of the wheel scrolls. */
const notch = 100;

let app: TestApp;
beforeAll(async () => {
  const { startTestApp } = await import('../../support/http/app.ts');
  app = await startTestApp();
  fill(app);
}, 120_000);
afterAll(async () => {
  await closeBrowser();
  await app?.close();
});

/**
 * Inserts a million releases into the database, because an import would take minutes. A search for
 * names does not find these releases.
 */
function fill({ data }: TestApp): void {
  const database = new Database(join(data, 'catalog.db'));
  database.exec(`
    BEGIN IMMEDIATE;
    DROP TRIGGER release_name_insert;
    INSERT INTO platform (id, key, name) VALUES (1, 'sonyplaystation', 'Sony - PlayStation');
    WITH RECURSIVE number (value) AS (
      SELECT 0 UNION ALL SELECT value + 1 FROM number WHERE value < ${total - 1}
    )
    INSERT INTO release (platform_id, system, name, region, serial, description)
      SELECT 1, 'games', printf('Game %06d', value), '', '', '' FROM number;
    COMMIT;
  `);
  database.close();
}

const nameOf = (index: number) => `Game ${String(index).padStart(6, '0')}`;

async function openLongList(at = 0): Promise<Page> {
  const { page } = await openPage(app, 'anonymous', { width: 1280 });
  await page.goto(at === 0 ? '/' : `/?at=${at}`);
  await page.getByText('1,000,000 releases').waitFor();
  await page.getByRole('link', { name: nameOf(at) }).waitFor();
  return page;
}

/**
 * Returns the vertical position of a tile in the window in pixels, or null if the tile is not
 * shown.
 */
const topOf = (page: Page, index: number) =>
  page.evaluate(
    (item) => document.querySelector(`[data-item="${item}"]`)?.getBoundingClientRect().top ?? null,
    index,
  );
const firstItem = (page: Page) =>
  page.evaluate(() => {
    const items = [...document.querySelectorAll<HTMLElement>('[data-item]')];
    const seen = items.filter((each) => each.getBoundingClientRect().top > 60);
    return Math.min(...seen.map((each) => Number(each.dataset.item)));
  });

/**
 * Waits until the list is at rest, which happens 150 ms after the last event. The timer here is
 * longer and starts after the list's timer.
 */
const comeToRest = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));

describeInBrowser('a list of a million releases', () => {
  test('is at most about 8,000,000 px high, and reaches both ends by keyboard', async () => {
    const page = await openLongList();
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height).toBeGreaterThan(7_000_000);
    expect(height).toBeLessThan(8_002_000);
    await page.getByRole('listitem').first().getByRole('link').focus();
    await page.keyboard.press('End');
    await page.getByRole('link', { name: nameOf(999_999) }).waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toContain(nameOf(999_999));
    await page.keyboard.press('Home');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent?.trim()))
      .toMatch(/^Game 000000\b/);
    expect(await page.getByRole('listitem').count()).toBeLessThanOrEqual(400);
  });

  test.each([0, 500_000])(
    'scrolls by exactly the wheel distance from release %i on, at rest or not',
    async (at) => {
      const page = await openLongList(at);
      await page.mouse.move(600, 500);
      for (let step = 0; step < 8; step++) {
        const item = (await firstItem(page)) + 8;
        const before = await topOf(page, item);
        await page.mouse.wheel(0, notch);
        const moved = async () => (before ?? 0) - ((await topOf(page, item)) ?? 0);
        // allow one pixel, because browsers round to whole pixels
        await expect.poll(async () => Math.abs((await moved()) - notch)).toBeLessThanOrEqual(1);
        if (step % 4 === 3) await comeToRest(page);
      }
    },
  );

  test('keeps its position after Back', async () => {
    const page = await openLongList(654_320);
    const first = await firstItem(page);
    await page.locator(`[data-item="${first + 1}"] a`).click();
    await page.waitForURL(/\/releases\/\d+$/);
    await page.goBack();
    await page.locator(`[data-item="${first + 1}"] a`).waitFor();
    expect(await firstItem(page)).toBe(first);
  });

  test('opens a release that is clicked during scrolling', async () => {
    const page = await openLongList();
    const held = Promise.withResolvers<void>();
    await page.route('**/_app/**', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.evaluate(async () => {
      const click = () => document.querySelector<HTMLElement>('[data-index="8"]')?.click();
      addEventListener('scroll', click, { once: true });
      const end = new Promise((resolve) => addEventListener('scrollend', resolve));
      scrollBy(0, 1_000);
      await end;
    });
    await comeToRest(page);
    held.resolve();
    await page.waitForURL(/\/releases\/\d+$/);
  });
});
