/** @module-tag full */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit, findSmallTargets, layoutShift } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, leave, picture, visit } from '../support/browser.ts';
import { layLibrary } from '../support/prepared-library.ts';
import { saveSet } from '../support/saved-sets.ts';
import { settle } from '../support/settle.ts';
import { hangCovers } from '../support/shop.ts';
import { openStockedShop, type StockedShop } from '../support/stock.ts';
import { come } from '../support/visitors.ts';

let shop: StockedShop;
let id = 0;
beforeAll(async () => {
  shop = await openStockedShop();
  await layLibrary(shop);
  const psp = 'Sony - PlayStation Portable';
  id = await saveSet(shop, 'editor', {
    name: 'PlayStation of Europe without sports',
    rule: {
      all: [
        { field: 'platform', in: [psp, 'Sony - PlayStation'] },
        {
          any: [
            { field: 'region', is: 'Europe' },
            { field: 'search', contains: 'racing' },
          ],
        },
        { not: { field: 'genre', contains: 'sports' } },
        { not: { field: 'year', from: 2030, to: 2040 } },
      ],
    },
    prefer: { regions: ['Europe', 'World'], languages: ['En'], avoid: ['Demo', 'Beta'] },
  });
  await saveSet(shop, 'editor', {
    name: 'All discs',
    rule: { field: 'platform', is: 'Sony - PlayStation' },
    shared: true,
  });
  await saveSet(shop, 'admin', {
    name: 'A-set-whose-name-is-one-word-and-far-too-long-for-the-side-of-a-narrow-window',
    rule: { field: 'library', is: 'missing' },
    shared: true,
  });
  const visitor = await visit(shop.url);
  await hangCovers(shop, visitor.page, 60);
  await leave(visitor);
});
afterAll(async () => {
  await closeBrowser();
  await shop?.close();
});

const widths = [320, 360, 600, 768, 960, 1200, 1440, 2560] as const;

const screens = [
  ['collection', () => '/'],
  ['list', () => `/releases?set=${id}`],
  ['edit', () => `/sets/${id}`],
  ['new', () => '/sets/new'],
] as const;

/**
 * Returns what is wrong with a screen that was just opened. The collection moves its parts when
 * they arrive, which another test covers.
 */
async function faultsOf(page: Page, name: string): Promise<string[]> {
  await settle(page);
  const shift = name === 'collection' ? 0 : await layoutShift(page);
  return [...(await audit(page)), ...(shift < 0.02 ? [] : [`layout shift: ${shift}`])];
}

describeInBrowser('the screens of sets', () => {
  for (const [name, path] of screens) {
    test.each([
      ['light', 'en-GB'],
      ['dark', 'de-DE'],
    ] as const)(`${name} fits each width, %s, %s`, async (colorScheme, locale) => {
      const { page } = await come(shop, 'editor', { width: widths[0], colorScheme, locale });
      await page.goto(path());
      for (const width of widths) {
        await page.setViewportSize({ width, height: width < 500 ? 780 : 900 });
        // Layout shift is measured from loading on.
        if (width !== widths[0]) await page.reload();
        expect.soft(await faultsOf(page, name), `${width} px`).toEqual([]);
        await picture(page, `sets-${name}-${width}-${colorScheme}`);
      }
    });
  }

  test('have controls large enough for a finger', async () => {
    const { page } = await come(shop, 'editor', { width: 360, hasTouch: true, isMobile: true });
    for (const [name, path] of screens) {
      await page.goto(path());
      await settle(page);
      expect.soft(await findSmallTargets(page), name).toEqual([]);
    }
  });

  test.each([
    ['user', 320],
    ['editor', 360],
    ['editor', 768],
    ['editor', 1440],
  ] as const)('move nothing in the collection when they arrive (%s, %i px)', async (who, width) => {
    const { page } = await come(shop, who, { width });
    const held = Promise.withResolvers<void>();
    await page.route('**/api/sets', async (route) => {
      await held.promise;
      await route.continue();
    });
    const top = () =>
      page.locator('.collection > .main').evaluate((main) => main.getBoundingClientRect().top);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Recently added' }).waitFor();
    const before = await top();
    await page.getByRole('heading', { name: 'Sets', exact: true }).waitFor();
    expect(await top()).toBe(before);
    held.resolve();
    await page.getByRole('link', { name: /All discs/ }).waitFor();
    expect(await top()).toBe(before);
  });

  test.each([320, 768, 1440])('lists of values fit a width of %i px', async (width) => {
    const { page } = await come(shop, 'editor', { width });
    await page.goto(`/sets/${id}`);
    await page.getByRole('combobox', { name: 'Add: Platform' }).click();
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    expect(await audit(page)).toEqual([]);
    await picture(page, `sets-values-${width}`);
    await page.getByRole('combobox', { name: 'Add: Tag' }).click();
    await page.getByRole('option', { name: 'Prototype' }).waitFor();
    expect(await audit(page)).toEqual([]);
    await picture(page, `sets-tags-${width}`);
  });

  test.each(['en-GB', 'de-DE'])('the dialog that saves fits 320 px (%s)', async (locale) => {
    const { page } = await come(shop, 'user', { width: 320, locale });
    await page.goto('/releases?platform=Sony+-+PlayStation&region=Europe&cover=missing');
    await page.getByRole('button', { name: /^(Save as set|Als Auswahl speichern)$/ }).click();
    await page.getByRole('dialog').waitFor();
    expect(await audit(page)).toEqual([]);
    await picture(page, `sets-save-${locale}-320`);
  });
});
