/** @module-tag full */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from './support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from './support/browser.ts';
import { openTestServer, type TestServer } from './support/test-server.ts';
import { openPage } from './support/visitors.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ 'require-sign-in': 'on' });
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

describeInBrowser('a catalogue that requires sign-in', () => {
  test('shows only a sign-in form to anonymous users, also after they sign out', async () => {
    const { page } = await openPage(server, 'anonymous', { width: 360 });
    await page.goto('/releases?search=amber');
    await page.getByText('Sign in to see this').waitFor();
    expect(await page.getByRole('link', { name: /^Amber/ }).count()).toBe(0);
    expect(await audit(page)).toEqual([]);
    await picture(page, 'closed-360-light');
    await page.getByLabel('Username').fill('user');
    await page.getByLabel('Password').fill('user');
    await page.keyboard.press('Enter');
    await page
      .getByRole('link', { name: /^Amber/ })
      .first()
      .waitFor();
    expect(page.url()).toContain('search=amber');
    await page.getByRole('button', { name: 'user', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Sign in to see this').waitFor();
    expect(await page.getByRole('link', { name: /^Amber/ }).count()).toBe(0);
  });

  test('asks anonymous users to sign in on the page of a release', async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases/1');
    await page.getByText('Sign in to see this').waitFor();
    await page.getByLabel('Username').fill('user');
    await page.getByLabel('Password').fill('user');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ROMs' }).waitFor();
  });
});
