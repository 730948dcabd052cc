/** @module-tag full */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from '../support/browser.ts';
import { addLibraryFiles } from '../support/prepared-library.ts';
import { saveSet } from '../support/saved-sets.ts';
import { openStockedServer, type StockedServer } from '../support/stocked-server.ts';
import { openPage } from '../support/visitors.ts';

let server: StockedServer;
let id = 0;
beforeAll(async () => {
  server = await openStockedServer();
  await addLibraryFiles(server);
  const rule = { field: 'platform', is: 'Sony - PlayStation' };
  id = await saveSet(server, 'editor', {
    name: 'Discs without demos',
    rule: { field: 'platform', in: ['Sony - PlayStation Portable', 'Sony - PlayStation'] },
    prefer: { regions: ['Europe'], languages: [], avoid: ['Demo'] },
  });
  await saveSet(server, 'editor', { name: 'All discs', rule, shared: true });
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

describeInBrowser('the layout of sets', () => {
  test.each([
    ['user', 320],
    ['editor', 360],
    ['editor', 768],
    ['editor', 1440],
  ] as const)(
    'does not shift the collection when the sets arrive (%s, %i px)',
    async (role, width) => {
      const { page } = await openPage(server, role, { width });
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
    },
  );

  test.each([320, 768, 1440])('fits lists of values in a width of %i px', async (width) => {
    const { page } = await openPage(server, 'editor', { width });
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

  test.each(['en-GB', 'de-DE'])(
    'fits the dialog that saves a set in a width of 320 px (%s)',
    async (locale) => {
      const { page } = await openPage(server, 'user', { width: 320, locale });
      await page.goto('/releases?platform=Sony+-+PlayStation&region=Europe&cover=missing');
      await page.getByRole('button', { name: /^(Save as set|Als Auswahl speichern)$/ }).click();
      await page.getByRole('dialog').waitFor();
      expect(await audit(page)).toEqual([]);
      await picture(page, `sets-save-${locale}-320`);
    },
  );
});
