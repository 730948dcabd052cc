import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../support/audit.ts';
import { closeBrowser, describeInBrowser } from '../support/browser.ts';
import { saveSet } from '../support/saved-sets.ts';
import { openStockedServer, type StockedServer } from '../support/stocked-server.ts';
import { openPage } from '../support/visitors.ts';

let server: StockedServer;
let psp = 0;
beforeAll(async () => {
  server = await openStockedServer();
  const platform = { field: 'platform', is: 'Sony - PlayStation Portable' };
  const rule = { all: [platform, { not: { field: 'region', in: ['Japan', 'USA'] } }] };
  psp = await saveSet(server, 'user', { name: 'PSP at home', rule });
  await saveSet(server, 'editor', {
    name: 'Owned discs',
    rule: { field: 'library', is: 'have' },
    shared: true,
  });
  await saveSet(server, 'admin', {
    name: 'No owner needed',
    rule: { all: [{ field: 'set', is: psp + 1 }] },
    shared: true,
  });
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

const side = (page: Page) => page.getByRole('navigation', { name: 'Sets' });
const texts = async (page: Page, group: string) =>
  (
    await side(page).getByRole('region', { name: group }).getByRole('listitem').allTextContents()
  ).map((text) => text.trim().replace(/\s+/g, ' '));
const titles = (page: Page) =>
  page.getByRole('list', { name: 'Releases' }).getByRole('listitem').allTextContents();

describeInBrowser('the browsing of sets', () => {
  test('lists own sets, then shared ones, with counts, and opens one', async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/');
    await side(page)
      .getByRole('link', { name: /PSP at home/ })
      .waitFor();
    expect(await texts(page, 'Your sets')).toEqual(['PSP at home 108']);
    expect(await texts(page, 'Shared sets')).toEqual(['No owner needed 1', 'Owned discs 1']);
    expect(await audit(page)).toEqual([]);
    await side(page)
      .getByRole('link', { name: /PSP at home/ })
      .focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/releases\\?set=${psp}$`));
    await page.getByRole('heading', { level: 1, name: 'PSP at home', exact: true }).waitFor();
    await page
      .getByText('All of: Platform is Sony - PlayStation Portable; Region is not Japan or USA')
      .waitFor();
    await page.getByText('108 releases').waitFor();
    expect(await page.title()).toBe('PSP at home · Catalog');
    expect((await titles(page)).join()).not.toContain('(USA)');
    expect(await audit(page)).toEqual([]);
  });

  test('keeps the set while its releases are searched, filtered and opened', async () => {
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases?set=${psp}`);
    await page.getByText('108 releases').waitFor();
    await page.getByRole('searchbox').fill('amber');
    await page.waitForURL(/set=\d+&search=amber/);
    await expect.poll(async () => (await titles(page)).length).toBeLessThan(20);
    await page.getByRole('list', { name: 'Releases' }).getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: /Amber/ }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'PSP at home', exact: true }).waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('amber');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('108 releases').waitFor();
    expect(new URL(page.url()).search).toBe(`?set=${psp}`);
  });

  test('finds a set by its name in the URL, and shows the names of sets in a rule', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/releases?set=No+owner+needed');
    await page.getByText('Set is Owned discs').waitFor();
    await page.getByText('Shared by admin').waitFor();
    await page.getByText('1 release', { exact: true }).waitFor();
    for (const name of ['Edit', 'Delete', 'Share with all users', 'Make private'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    await page.goto(`/sets/${psp + 1}`);
    await page.getByText('You need the role Editor').waitFor();
    await page.goto('/releases?set=unheard+of');
    await page.getByRole('heading', { level: 1, name: 'Page not found', exact: true }).waitFor();
  });

  test('requires an anonymous visitor to sign in', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto(`/releases?set=${psp}`);
    await page.getByText('Sign in to see this.').first().waitFor();
    await page.goto('/sets/new');
    await page.getByText('Sign in to see this.').waitFor();
    await page.goto('/releases?region=Europe');
    await page.getByRole('button', { name: 'Show all' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save as set' }).count()).toBe(0);
  });
});

describeInBrowser('a set', () => {
  test('offers lists of its missing releases as CSV and DAT', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases?set=${psp}`);
    for (const [item, start] of [
      ['As a table (CSV)', '"ULUS-'],
      ['As a DAT', '<datafile>'],
    ] as const) {
      await page.getByRole('button', { name: 'Missing list' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: item }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/^PSP at home \(missing\)\.(csv|dat)$/);
      const text = await readFile(await file.path(), 'utf8');
      expect(text).toContain(start);
      expect(text).toContain('Amber');
    }
  });

  test('is shared by an editor, and made private again', async () => {
    const own = await saveSet(server, 'editor', { name: 'To share', rule: { any: [] } });
    const { page } = await openPage(server, 'editor');
    const { page: other } = await openPage(server, 'user');
    await page.goto(`/releases?set=${own}`);
    await page.getByText('no release', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Share with all users' }).click();
    await page.getByText('All users see this set now.').waitFor();
    await page.getByText('Shared by editor').waitFor();
    await other.goto('/');
    await side(other).getByRole('link', { name: 'To share' }).waitFor();
    await page.getByRole('button', { name: 'Make private' }).click();
    await page.getByText('Only you see this set now.').waitFor();
    await other.reload();
    await side(other)
      .getByRole('link', { name: /PSP at home/ })
      .waitFor();
    expect(await side(other).getByRole('link', { name: 'To share' }).count()).toBe(0);
  });

  test('is deleted after a confirmation', { tags: ['full'] }, async () => {
    const own = await saveSet(server, 'user', { name: 'Short-lived', rule: { all: [] } });
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases?set=${own}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Short-lived?' });
    await dialog.waitFor();
    expect(await audit(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('“Short-lived” was deleted').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Collection', exact: true }).waitFor();
    await side(page)
      .getByRole('link', { name: /PSP at home/ })
      .waitFor();
    expect(
      await side(page)
        .getByRole('link', { name: /Short-lived/ })
        .count(),
    ).toBe(0);
  });

  test('shows a long rule in full only on request', { tags: ['full'] }, async () => {
    const values = Array.from({ length: 40 }, (_, at) => ({ field: 'genre', is: `Genre ${at}` }));
    const long = await saveSet(server, 'user', { name: 'Long', rule: { any: values } });
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases?set=${long}`);
    await page.getByRole('heading', { level: 1, name: 'Long', exact: true }).waitFor();
    expect(await page.getByText('Genre 39').count()).toBe(0);
    await page.getByRole('button', { name: 'Show the whole rule' }).click();
    await page.getByText('Genre is Genre 39').waitFor();
  });
});
