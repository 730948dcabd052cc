import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from '../support/browser.ts';
import { openStockedServer, type StockedServer } from '../support/stocked-server.ts';
import { openPage } from '../support/visitors.ts';
import { waitUntilIdle } from '../support/wait-until-idle.ts';

let server: StockedServer;
beforeAll(async () => {
  server = await openStockedServer();
  const { releases } = server.catalog;
  const found = await releases.list({
    ...{ system: '', q: 'Racing', search: '', platform: '', region: '' },
    ...{ limit: 30, offset: 0 },
  });
  for (const [at, { id }] of found.entries()) {
    const genre = at < 20 ? 'Racing | Karts' : 'Sports';
    const publisher = `Publisher ${at % 3}`;
    await releases.edit(id, { genre, publisher, release_date: `${1990 + (at % 2)}-05` }, system);
  }
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

const system = { kind: 'system' } as const;
const pill = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Filters' }).getByRole('button', { name, exact: true });
const options = (page: Page) => page.getByRole('listbox').getByRole('option');
const chips = (page: Page) =>
  page.getByRole('button', { name: /^Remove .* filter: / }).allTextContents();
const trimmed = (texts: readonly string[]) => texts.map((text) => text.trim().replace(/\s+/g, ' '));
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

/** Opens the menu of a filter and waits for its values. */
async function openMenu(page: Page, name: string): Promise<void> {
  await pill(page, name).click();
  await options(page).first().waitFor();
}

describeInBrowser('the filters of the catalogue', () => {
  test('take several values by keyboard, and Back removes them one at a time', async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases');
    await page.getByText('401 releases').waitFor();
    await pill(page, 'Platform').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Find: Platform' }).waitFor();
    await options(page).first().waitFor();
    await page.keyboard.type('umd');
    await expect.poll(() => options(page).count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByText('17 releases').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('playstation');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => query(page))
      .toEqual({
        platform: 'Sony - PlayStation Portable (UMD Video)|Sony - PlayStation',
      });
    await page.getByText('78 releases').waitFor();
    await page.keyboard.press('Escape');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent?.trim()))
      .toMatch(/^Platform/);
    await openMenu(page, 'Region');
    const counts = trimmed(await options(page).allTextContents());
    expect(counts).toEqual(['Europe 61']);
    await page.keyboard.press('Enter');
    await page.getByText('61 releases').waitFor();
    await page.keyboard.press('Escape');
    expect(trimmed(await chips(page))).toEqual([
      'Sony - PlayStation Portable (UMD Video)',
      'Sony - PlayStation',
      'Europe',
    ]);
    await page.goBack();
    await page.getByText('78 releases').waitFor();
    await page.goBack();
    await page.getByText('17 releases').waitFor();
    await page.goForward();
    await page.getByText('78 releases').waitFor();
    await page.reload();
    await page.getByText('78 releases').waitFor();
    expect(await chips(page)).toHaveLength(2);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('401 releases').waitFor();
    expect(query(page)).toEqual({});
  });

  test('offer genres, years and publishers, with the number of releases of each', async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases');
    await openMenu(page, 'Genre');
    expect(trimmed(await options(page).allTextContents())).toEqual([
      'Racing | Karts 20',
      'Sports 10',
    ]);
    await options(page).first().click();
    await page.getByText('20 releases').waitFor();
    await expect.poll(() => query(page)).toEqual({ genre: 'Racing || Karts' });
    await page.keyboard.press('Escape');
    await openMenu(page, 'Year');
    expect(trimmed(await options(page).allTextContents())).toEqual(['1991 10', '1990 10']);
    await options(page).first().click();
    await page.getByText('10 releases').waitFor();
    await page.keyboard.press('Escape');
    await openMenu(page, 'Publisher');
    const shown = trimmed(await options(page).allTextContents());
    await options(page).nth(1).click();
    const [, count] = /(\d+)$/.exec(shown[1] ?? '') ?? [];
    await page.getByText(`${count} releases`, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove Genre filter: Racing | Karts' }).click();
    await expect.poll(() => query(page)).toEqual({ year: '1991', publisher: 'Publisher 1' });
  });

  test('offer ownership only to users who are signed in, and covers to anyone', {
    tags: ['full'],
  }, async () => {
    const visitor = await openPage(server, 'anonymous');
    await visitor.page.goto('/releases');
    await pill(visitor.page, 'Cover').waitFor();
    expect(await pill(visitor.page, 'Ownership').count()).toBe(0);
    const { page } = await openPage(server, 'user');
    await page.goto('/releases');
    await openMenu(page, 'Ownership');
    expect(trimmed(await options(page).allTextContents())).toEqual([
      'Owned 1',
      'Missing 400',
      'Verified 1',
    ]);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByText('1 release', { exact: true }).waitFor();
    expect(query(page)).toEqual({ library: 'verified' });
    await page.getByRole('link', { name: /Quartz Quest/ }).waitFor();
    await openMenu(page, 'Cover');
    expect(trimmed(await options(page).allTextContents())).toEqual([
      'With cover 0',
      'Without cover 1',
    ]);
    await options(page).nth(1).click();
    await expect.poll(() => query(page)).toEqual({ library: 'verified', cover: 'missing' });
    await page.getByRole('button', { name: 'Remove Ownership filter: Verified' }).click();
    await page.getByText('401 releases').waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'fit on a screen of 320 px in German (%s)',
    { tags: ['full'] },
    async (scheme) => {
      const { page } = await openPage(server, 'user', {
        width: 320,
        colorScheme: scheme,
        locale: 'de-DE',
      });
      await page.goto('/releases');
      const expand = page.getByRole('button', { name: 'Filter', exact: true });
      await expand.waitFor();
      const menu = page.getByRole('button', { name: 'Plattform', exact: true });
      expect(await menu.isVisible()).toBe(false);
      await expand.click();
      await menu.click();
      await options(page).first().waitFor();
      await waitUntilIdle(page);
      await picture(page, `filters-320-${scheme}`);
      expect(await audit(page)).toEqual([]);
      const sheet = await page.getByRole('listbox', { name: 'Plattform' }).boundingBox();
      expect(sheet?.x).toBeGreaterThanOrEqual(0);
      expect((sheet?.x ?? 0) + (sheet?.width ?? 999)).toBeLessThanOrEqual(320);
      expect((sheet?.y ?? 0) + (sheet?.height ?? 999)).toBeLessThanOrEqual(780);
      await options(page).nth(1).click();
      await page.getByRole('button', { name: /^Filter Plattform entfernen/ }).waitFor();
      await page.keyboard.press('Escape');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        320,
      );
      await page.getByRole('button', { name: 'Alle zeigen' }).click();
      await expect.poll(() => query(page)).toEqual({});
    },
  );
});
