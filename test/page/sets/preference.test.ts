import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { audit } from '../support/audit.ts';
import { closeBrowser, describeInBrowser } from '../support/browser.ts';
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

const regions = (page: Page) => page.getByRole('group', { name: 'Regions, preferred first' });
const order = async (page: Page) =>
  (await regions(page).getByRole('listitem').allTextContents()).map((text) =>
    text.replace(/[\s\d]+/g, ' ').trim(),
  );
const preferOf = async (page: Page, id: number) =>
  ((await (await page.request.get(`/api/sets/${id}`)).json()) as { prefer: object }).prefer;
const focusedName = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

describeInBrowser('the preference of a set', () => {
  test('has default values, and is described in words where the set is shown', {
    tags: ['full'],
  }, async () => {
    const id = await saveSet(server, 'user', { name: 'All', rule: { all: [] } });
    const { page } = await openPage(server, 'user');
    await page.goto(`/sets/${id}`);
    await page.getByRole('switch', { name: 'One per game' }).press('Space');
    expect(await order(page)).toEqual(['Europe', 'World', 'USA', 'Japan']);
    expect(await audit(page)).toEqual([]);
    await page.getByLabel('Oldest').check();
    await page.getByLabel('Owned editions').check();
    await page.getByRole('button', { name: 'Remove Sample' }).click();
    await expect.poll(() => focusedName(page)).toBe('Add: Tag');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(
        'One per game: Europe first, then World, then USA, then Japan; English first; oldest revision; Demo, Beta or Prototype only if there is no other; owned editions only',
      )
      .waitFor();
    expect(await preferOf(page, id)).toEqual({
      one_per_game: true,
      regions: ['Europe', 'World', 'USA', 'Japan'],
      languages: ['En'],
      revision: 'oldest',
      avoid: ['Demo', 'Beta', 'Proto'],
      among: 'library',
    });
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('switch', { name: 'One per game' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('every release', { exact: true }).waitFor();
    expect(await preferOf(page, id)).toBeNull();
  });

  test('is ordered by buttons and keys, with the focus kept and each move announced', async () => {
    const prefer = { regions: ['Europe', 'World', 'USA'] };
    const id = await saveSet(server, 'user', { name: 'Ordered', rule: { all: [] }, prefer });
    const { page } = await openPage(server, 'user');
    await page.goto(`/sets/${id}`);
    await page.getByRole('button', { name: 'Move USA up' }).click();
    expect(await order(page)).toEqual(['Europe', 'USA', 'World']);
    await page.getByText('USA: place 2 of 3').waitFor({ state: 'attached' });
    expect(await focusedName(page)).toBe('Move USA up');
    await page.keyboard.press('Enter');
    expect(await order(page)).toEqual(['USA', 'Europe', 'World']);
    expect(await focusedName(page)).toBe('Move USA up');
    await page.keyboard.press('Enter'); // no effect, because USA is already first
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowDown');
    await page.keyboard.press('Alt+ArrowDown');
    expect(await order(page)).toEqual(['Europe', 'World', 'USA']);
    await page.getByText('USA: place 3 of 3').waitFor({ state: 'attached' });
    expect(await focusedName(page)).toBe('Move USA up');
    await page.keyboard.press('Alt+ArrowUp');
    await regions(page).getByRole('combobox').click();
    await page.keyboard.type('japan');
    await page.getByRole('option', { name: 'Japan' }).waitFor(); // the offered values are loaded
    await page.keyboard.press('Enter');
    await page.keyboard.type('Atlantis');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove World' }).click();
    await expect.poll(() => focusedName(page)).toBe('Remove Japan');
    expect(await order(page)).toEqual(['Europe', 'USA', 'Japan', 'Atlantis']);
    expect(await audit(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ordered', exact: true }).waitFor();
    expect(await preferOf(page, id)).toMatchObject({
      regions: ['Europe', 'USA', 'Japan', 'Atlantis'],
      languages: [],
    });
  });

  test('chooses the editions in the preview and in the list', { tags: ['full'] }, async () => {
    const names = ['Europe', 'USA'].map((region) => `Zwillinge (${region})`);
    const games = names.map((name, at) => ({
      name,
      roms: [{ name: `${name}.iso`, size: '7', crc: `0000a00${at}` }],
    }));
    await importGames(server, games, 'Nintendo - Game Boy');
    const rule = { field: 'platform', is: 'Nintendo - Game Boy' };
    const prefer = { regions: ['Europe', 'USA'] };
    const id = await saveSet(server, 'user', { name: 'One of two', rule, prefer });
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases?set=${id}`);
    const list = page.getByRole('list', { name: 'Releases' });
    await list.getByText('(Europe)').first().waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    const covers = page.getByRole('list', { name: 'The first of them by name:' });
    await covers.getByText('Zwillinge (Europe)').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Move USA up' }).click();
    await covers.getByText('Zwillinge (USA)').waitFor({ state: 'attached' });
    expect(await covers.getByRole('listitem').count()).toBe(1);
    await page.getByRole('button', { name: 'Save' }).click();
    await list.getByText('(USA)').first().waitFor();
    expect(await list.getByText('(Europe)').count()).toBe(0);
    await page.getByText('1 release', { exact: true }).waitFor();
  });

  test('shows an error at a refused value until the value is removed', {
    tags: ['full'],
  }, async () => {
    const prefer = { languages: ['En'] };
    const id = await saveSet(server, 'user', { name: 'Spoken', rule: { all: [] }, prefer });
    const { page } = await openPage(server, 'user');
    await page.goto(`/sets/${id}`);
    const languages = page.getByRole('group', { name: 'Languages, preferred first' });
    await languages.getByRole('combobox').fill('klingonese');
    await page.keyboard.press('Enter');
    const refused = languages.getByRole('listitem').filter({ hasText: 'klingonese' });
    await refused.getByRole('alert').getByText('Enter a language as a code').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await refused.getByRole('button', { name: 'Remove klingonese' }).click();
    await expect.poll(() => focusedName(page)).toBe('Add: Language');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  test('is kept as a program saved it, even without “One per game”', {
    tags: ['full'],
  }, async () => {
    const prefer = { one_per_game: false, regions: ['Japan'], among: 'library' };
    const id = await saveSet(server, 'user', { name: 'Owned', rule: { all: [] }, prefer });
    const { page } = await openPage(server, 'user');
    await page.goto(`/sets/${id}`);
    expect(await page.getByLabel('Owned editions').isChecked()).toBe(true);
    await page.getByLabel('Name', { exact: true }).fill('Owned discs');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('owned editions only').waitFor();
    expect(await preferOf(page, id)).toMatchObject({ ...prefer, revision: 'newest' });
  });
});
