import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../support/audit.ts';
import { closeBrowser, describeInBrowser } from '../support/browser.ts';
import { saveSet } from '../support/saved-sets.ts';
import { openStockedServer, type StockedServer } from '../support/stocked-server.ts';
import { passwordOf } from '../support/test-server.ts';
import { openPage } from '../support/visitors.ts';

let server: StockedServer;
beforeAll(async () => {
  server = await openStockedServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

const name = (page: Page) => page.getByLabel('Name', { exact: true });
const text = (page: Page) => page.getByLabel('Name or serial: text');
const count = (page: Page) => page.locator('form').getByRole('status').last();
const waitForCount = (page: Page, countText: string) =>
  expect.poll(() => count(page).textContent()).toBe(countText);

/**
 * Opens a set with the condition `amber`. Holds back the previews of rules with `quartz`, and
 * returns them.
 */
async function openHeld(page: Page, set: string): Promise<Route[]> {
  const rule = { field: 'search', contains: 'amber' };
  const id = await saveSet(server, 'user', { name: set, rule });
  const held: Route[] = [];
  await page.route('**/api/sets/preview*', async (route) => {
    if (route.request().postData()?.includes('quartz')) held.push(route);
    else await route.continue();
  });
  await page.goto(`/sets/${id}`);
  await waitForCount(page, '30 releases');
  return held;
}

describeInBrowser('the refusal to save a set', () => {
  test('stays visible when a preview arrives, until the name is corrected', async () => {
    await saveSet(server, 'user', { name: 'Known', rule: { all: [] } });
    const { page } = await openPage(server, 'user');
    const held = await openHeld(page, 'Refused');
    await text(page).fill('amber quartz');
    await expect.poll(() => held.length).toBe(1);
    await name(page).fill('Known');
    await page.getByRole('button', { name: 'Save' }).click();
    const refusal = page.getByText('You have a set with this name.');
    await refusal.waitFor();
    await held[0]?.continue();
    await waitForCount(page, '0 releases');
    expect(await refusal.isVisible()).toBe(true);
    expect(await audit(page)).toEqual([]);
    await name(page).fill('Knowing');
    await refusal.waitFor({ state: 'detached' });
  });

  test('is followed by another attempt when the user has signed in again', {
    tags: ['full'],
  }, async () => {
    const id = await saveSet(server, 'user', { name: 'Interrupted', rule: { all: [] } });
    const { page, context } = await openPage(server, 'user');
    await page.goto(`/sets/${id}`);
    await waitForCount(page, '401 releases');
    await name(page).fill('Resumed');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Password').fill(passwordOf('user'));
    await page.getByLabel('Username').fill('user');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Resumed', exact: true }).waitFor();
  });
});

describeInBrowser('the preview of a changed condition', () => {
  test('is aborted when the user reverts the change', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user');
    const held = await openHeld(page, 'Taken back');
    const aborted = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('/api/sets/preview'),
    );
    await text(page).fill('amber quartz');
    await expect.poll(() => held.length).toBe(1);
    await text(page).fill('amber');
    await aborted;
    await waitForCount(page, '30 releases');
  });
});
