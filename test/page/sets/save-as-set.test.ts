import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from '../support/browser.ts';
import { saveSet } from '../support/saved-sets.ts';
import { openStockedServer, type StockedServer } from '../support/stocked-server.ts';
import { openPage } from '../support/visitors.ts';

let server: StockedServer;
beforeAll(async () => {
  server = await openStockedServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Save as set' });

/** Returns the set that the list shows, as the server has it. */
async function shownSet(
  page: Page,
): Promise<{ name: string; rule: object; prefer: object | null }> {
  const id = new URL(page.url()).searchParams.get('set');
  const response = await page.request.get(`/api/sets/${id}`);
  return response.json();
}

describeInBrowser('“Save as set”', () => {
  test('saves all filters with one click and a name', async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/releases?search=racing&platform=Sony+-+PlayStation&region=Europe%7CJapan');
    await page.getByText('60 releases').waitFor();
    await page.getByRole('button', { name: 'Save as set' }).click();
    const name = dialogOf(page).getByLabel('Name');
    await expect.poll(() => name.inputValue()).toBe('racing, PlayStation, Europe, Japan');
    // The suggested name is selected, so that typing replaces it.
    await page.keyboard.type('Racers');
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('Saved as set “Racers”').waitFor();
    await page.waitForURL(/\/releases\?set=\d+$/);
    await page.getByRole('heading', { level: 1, name: 'Racers', exact: true }).waitFor();
    await page.getByText('60 releases').waitFor();
    expect(await shownSet(page)).toMatchObject({
      name: 'Racers',
      shared: false,
      rule: {
        all: [
          { field: 'platform', is: 'Sony - PlayStation' },
          { field: 'region', in: ['Europe', 'Japan'] },
          { field: 'search', contains: 'racing' },
        ],
      },
    });
    await page.goBack();
    await page.getByRole('button', { name: 'Remove search: racing' }).waitFor();
  });

  test('shows at the field that a name is taken or refused', { tags: ['full'] }, async () => {
    await saveSet(server, 'user', { name: 'Taken', rule: { all: [] } });
    const { page } = await openPage(server, 'user');
    await page.goto('/releases?library=have');
    await page.getByRole('button', { name: 'Save as set' }).click();
    const name = dialogOf(page).getByLabel('Name');
    await name.fill('Taken');
    await page.keyboard.press('Enter');
    await dialogOf(page).getByText('You have a set with this name.').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await audit(page)).toEqual([]);
    await name.fill('2026');
    await page.keyboard.press('Enter');
    await dialogOf(page).getByText('and is not a number').waitFor();
    await name.fill('Mine');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Mine', exact: true }).waitFor();
    await page.getByText('Ownership is Owned').waitFor();
  });

  test('saves filters within a set, and the cover filter', { tags: ['full'] }, async () => {
    const rule = { field: 'platform', is: 'Sony - PlayStation' };
    const base = await saveSet(server, 'user', { name: 'Base', rule });
    const { page } = await openPage(server, 'user');
    await page.goto('/releases?set=Base&search=racing&cover=missing');
    await page.getByRole('heading', { level: 1, name: 'Base', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save as set' }).click();
    await dialogOf(page).getByText('Set is Base; Cover is Missing;').waitFor();
    await expect
      .poll(() => dialogOf(page).getByLabel('Name').inputValue())
      .toBe('racing, Without cover');
    await picture(page, 'save-cover-filter');
    await dialogOf(page).getByLabel('Name').fill('Racers of the base');
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('heading', { level: 1, name: 'Racers of the base', exact: true })
      .waitFor();
    expect((await shownSet(page)).rule).toEqual({
      all: [
        { field: 'set', is: base },
        { field: 'cover', is: 'missing' },
        { field: 'search', contains: 'racing' },
      ],
    });
  });

  test('keeps the preference of the set whose releases are listed', {
    tags: ['full'],
  }, async () => {
    const prefer = { one_per_game: true, regions: ['Europe'], avoid: ['Demo'] };
    const base = await saveSet(server, 'user', { name: 'Chosen', rule: { all: [] }, prefer });
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases?set=${base}&search=racing`);
    await page.getByRole('heading', { level: 1, name: 'Chosen', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save as set' }).click();
    const dialog = dialogOf(page);
    await dialog.getByText('One per game: Europe first; newest revision; Demo only').waitFor();
    await dialog.getByText('It chooses among what the filters find').waitFor();
    await picture(page, 'save-as-set-chosen');
    expect(await audit(page)).toEqual([]);
    await dialog.getByLabel('Name').fill('Chosen racers');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Chosen racers', exact: true }).waitFor();
    expect((await shownSet(page)).prefer).toMatchObject(prefer);
  });
});
