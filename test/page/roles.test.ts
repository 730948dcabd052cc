import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeBrowser, describeInBrowser } from './support/browser.ts';
import { openTestServer, type TestServer } from './support/test-server.ts';
import { openPage, type VisitorRole } from './support/visitors.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

const reaches = (visitorRole: VisitorRole, role: VisitorRole) => {
  const order: readonly VisitorRole[] = ['anonymous', 'user', 'editor', 'admin'];
  return order.indexOf(visitorRole) >= order.indexOf(role);
};
const count = (page: Page, role: 'button' | 'link', name: string | RegExp) =>
  page.getByRole(role, { name, exact: true }).count();

describeInBrowser('the role of a visitor', () => {
  for (const visitorRole of ['anonymous', 'user', 'editor', 'admin'] as const) {
    const tags: 'full'[] = visitorRole === 'anonymous' ? [] : ['full'];
    test(`determines the controls and screens offered: ${visitorRole}`, { tags }, async () => {
      const { page } = await openPage(server, visitorRole);
      const isEditor = reaches(visitorRole, 'editor');

      await page.goto('/releases');
      await page.getByRole('listitem').first().waitFor();
      expect(await count(page, 'link', 'Sign in')).toBe(visitorRole === 'anonymous' ? 1 : 0);
      expect(await count(page, 'button', 'Admin')).toBe(isEditor ? 1 : 0);
      expect(await page.locator('#admin-menu a[href$="/users"]').count()).toBe(
        visitorRole === 'admin' ? 1 : 0,
      );
      expect(await count(page, 'button', 'Select')).toBe(isEditor ? 1 : 0);
      await page.getByRole('listitem').first().getByRole('link').focus();
      await page.keyboard.press('x');
      expect(await page.getByText('1 selected').count()).toBe(isEditor ? 1 : 0);
      await page.keyboard.press('Escape');

      await page.goto(`/releases/${await server.idOf('Amber Delta 0 (USA)')}`);
      await page.getByRole('heading', { name: 'ROMs' }).waitFor();
      expect(await count(page, 'button', 'Edit')).toBe(isEditor ? 1 : 0);
      expect(await count(page, 'button', /^(Add|Change) cover$/)).toBe(isEditor ? 1 : 0);
      await page.keyboard.press('e');
      expect(await page.getByRole('form', { name: 'Editing' }).count()).toBe(isEditor ? 1 : 0);

      await page.goto('/account');
      if (visitorRole === 'anonymous') await page.getByText('Sign in to see this').waitFor();
      else await page.getByRole('heading', { name: 'Change password' }).waitFor();

      await page.goto('/users');
      if (visitorRole === 'anonymous') await page.getByText('Sign in to see this').waitFor();
      else if (visitorRole === 'admin') await page.getByLabel('Role of editor').waitFor();
      else await page.getByText('You need the role Admin').waitFor();
    });
  }

  test('is reported as insufficient after it was revoked, and typed text is kept', async () => {
    await server.catalog.accounts.createUser(
      { username: 'demoted', password: 'demoted', role: 'editor' },
      { kind: 'system' },
    );
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/sign-in');
    await page.getByLabel('Username').fill('demoted');
    await page.getByLabel('Password').fill('demoted');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'demoted', exact: true }).waitFor();
    await page.goto(`/releases/${await server.idOf('Amber Delta 0 (USA)')}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Genre').fill('Racing');
    const users = await server.catalog.accounts.listUsers();
    const id = users.find((each) => each.username === 'demoted')?.id ?? 0;
    await server.catalog.accounts.updateUser(id, { role: 'user' }, { kind: 'system' });
    await page.keyboard.press('Control+s');
    await page.getByText('You need the role Editor').waitFor();
    expect(await page.getByLabel('Genre').inputValue()).toBe('Racing');
  });
});
