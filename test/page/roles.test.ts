import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeBrowser, describeInBrowser } from './support/browser.ts';
import { openShop, type Shop } from './support/shop.ts';
import { come, type Who } from './support/visitors.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(async () => {
  await closeBrowser();
  await shop?.close();
});

const reaches = (who: Who, role: Who) => {
  const order: readonly Who[] = ['nobody', 'user', 'editor', 'admin'];
  return order.indexOf(who) >= order.indexOf(role);
};
const count = (page: Page, role: 'button' | 'link', name: string | RegExp) =>
  page.getByRole(role, { name, exact: true }).count();

describeInBrowser('the permissions of each role', () => {
  for (const who of ['nobody', 'user', 'editor', 'admin'] as const) {
    const tags: 'full'[] = who === 'nobody' || who === 'editor' ? [] : ['full'];
    test(`allow what the role allows: ${who}`, { tags }, async () => {
      const { page } = await come(shop, who);
      const isEditor = reaches(who, 'editor');

      await page.goto('/releases');
      await page.getByRole('listitem').first().waitFor();
      expect(await count(page, 'link', 'Sign in')).toBe(who === 'nobody' ? 1 : 0);
      expect(await count(page, 'button', 'Admin')).toBe(isEditor ? 1 : 0);
      expect(await page.locator('#admin-menu a[href$="/users"]').count()).toBe(
        who === 'admin' ? 1 : 0,
      );
      expect(await count(page, 'button', 'Select')).toBe(isEditor ? 1 : 0);
      await page.getByRole('listitem').first().getByRole('link').focus();
      await page.keyboard.press('x');
      expect(await page.getByText('1 selected').count()).toBe(isEditor ? 1 : 0);
      await page.keyboard.press('Escape');

      await page.goto(`/releases/${await shop.idOf('Amber Delta 0 (USA)')}`);
      await page.getByRole('heading', { name: 'ROMs' }).waitFor();
      expect(await count(page, 'button', 'Edit')).toBe(isEditor ? 1 : 0);
      expect(await count(page, 'button', /^(Add|Change) cover$/)).toBe(isEditor ? 1 : 0);
      await page.keyboard.press('e');
      expect(await page.getByRole('form', { name: 'Editing' }).count()).toBe(isEditor ? 1 : 0);

      await page.goto('/account');
      if (who === 'nobody') await page.getByText('Sign in to see this').waitFor();
      else await page.getByRole('heading', { name: 'Change password' }).waitFor();

      await page.goto('/users');
      if (who === 'nobody') await page.getByText('Sign in to see this').waitFor();
      else if (who === 'admin') await page.getByLabel('Role of editor').waitFor();
      else await page.getByText('You need the role Admin').waitFor();
    });
  }

  test('reports a role that was revoked meanwhile, and keeps typed text', async () => {
    await shop.catalog.accounts.createUser(
      { username: 'demoted', password: 'demoted', role: 'editor' },
      { kind: 'system' },
    );
    const { page } = await come(shop, 'nobody');
    await page.goto('/sign-in');
    await page.getByLabel('Username').fill('demoted');
    await page.getByLabel('Password').fill('demoted');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'demoted', exact: true }).waitFor();
    await page.goto(`/releases/${await shop.idOf('Amber Delta 0 (USA)')}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Genre').fill('Racing');
    const users = await shop.catalog.accounts.listUsers();
    const id = users.find((each) => each.username === 'demoted')?.id ?? 0;
    await shop.catalog.accounts.updateUser(id, { role: 'user' }, { kind: 'system' });
    await page.keyboard.press('Control+s');
    await page.getByText('You need the role Editor').waitFor();
    expect(await page.getByLabel('Genre').inputValue()).toBe('Racing');
  });
});
