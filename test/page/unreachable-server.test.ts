import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { pollOptions } from '../support/poll-options.ts';
import { useSandbox } from '../support/process.ts';
import { openAdminScreen } from './support/admin-menu.ts';
import { audit } from './support/audit.ts';
import { auditWidths } from './support/audit-widths.ts';
import { closeBrowser, describeInBrowser, leave, picture, visit } from './support/browser.ts';
import { openTestServer } from './support/test-server.ts';
import { openPage } from './support/visitors.ts';
import { waitUntilIdle } from './support/wait-until-idle.ts';

afterAll(closeBrowser);

/** Waits until the page has loaded the code of all screens. */
const screensLoaded = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByName('screens-loaded').length > 0);

describeInBrowser('the page of a failing server', () => {
  test('shows a bar while the server is unreachable, keeps its content, and recovers', async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const visitor = await visit(server.url);
    onTestFinished(() => leave(visitor));
    const { page } = visitor;
    await page.clock.install();
    await page.goto('/sign-in');
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password').fill('admin-password');
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await waitUntilIdle(page); // wait, because the end of the navigation closes an open menu
    await openAdminScreen(page, 'Users');
    await page.getByLabel('Role of admin').waitFor();
    await server.stop();
    await page.getByRole('button', { name: 'Add user' }).click();
    await page.getByRole('dialog').getByLabel('Username').fill('zoe');
    await page.getByRole('dialog').getByLabel('Password').fill('secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).click();
    await page.getByText('The server cannot be reached.').first().waitFor();
    expect(await page.getByRole('dialog').getByLabel('Username').inputValue()).toBe('zoe');
    await page.keyboard.press('Escape');
    await page.getByText(/Trying again in \d+ s/).waitFor();
    expect(await page.getByLabel('Role of admin').count()).toBe(1);
    await picture(page, 'offline-1440-light');
    expect(await audit(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 780 });
    await picture(page, 'offline-360-light');
    expect(await audit(page)).toEqual([]);
    await sandbox.serve(['--port', String(server.port)]);
    await page.clock.runFor(30_000); // the longest delay before a retry
    await page.getByText(/Trying again in/).waitFor({ state: 'hidden' });
    await page.getByLabel('Role of admin').waitFor();
  });

  test.each([
    ['en-GB', 'The server cannot be reached', 'Admin', ['Users', 'Jobs', 'Imports', 'Audit']],
    ['de-DE', 'Der Server ist nicht erreichbar', 'Verwaltung', ['Benutzer', 'Protokoll']],
  ])(
    'shows the outage on screens opened meanwhile, and loads them afterwards (%s)',
    { tags: ['full'] },
    async (locale, outage, menu, names) => {
      const sandbox = await useSandbox();
      const server = await sandbox.serve();
      const visitor = await visit(server.url, { locale });
      onTestFinished(() => leave(visitor));
      const { page } = visitor;
      const data = { username: 'admin', password: 'admin-password', cookie: true };
      await page.request.post('/api/auth/login', { data });
      await page.goto('/account');
      await screensLoaded(page);
      await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
      await server.stop();
      const outageHeading = page.getByRole('heading', { name: outage });
      for (const name of names) {
        await page.getByRole('button', { name: menu, exact: true }).click();
        await page.locator('#admin-menu').getByRole('link', { name, exact: true }).click();
        await expect.poll(() => page.title()).toMatch(new RegExp(`^${name}`));
        await outageHeading.waitFor();
      }
      expect(await auditWidths(page, `outage-${locale}`)).toEqual([]);
      const started = await sandbox.serve(['--port', String(server.port)]);
      expect(started.port).toBe(server.port);
      // sooner than the page would retry in a hidden tab, which is after 30 s
      await outageHeading.waitFor({ state: 'detached', timeout: 25_000 });
      await page.getByRole('table').waitFor();
      expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);
    },
  );

  test.each([
    ['en-GB', 'Something went wrong', 'Downloads', 'Page not found'],
    ['de-DE', 'Etwas ist schiefgelaufen', 'Downloads', 'Seite nicht gefunden'],
  ])(
    'distinguishes a screen that fails to load from one that does not exist (%s)',
    { tags: ['full'] },
    async (locale, failed, name, missing) => {
      const server = await openTestServer();
      onTestFinished(() => server.close());
      const { page, faults } = await openPage(server, 'user', { locale });
      // The page never becomes idle, so it does not load the code of other screens in advance.
      await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }));
      await page.goto('/account');
      await waitUntilIdle(page);
      const isCode = (url: URL) => url.pathname.startsWith('/_app/immutable/');
      await page.route(isCode, (route) => route.abort());
      await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name: failed }).waitFor();
      expect(page.url()).toMatch(/\/store$/);
      expect(await page.getByText(missing).count()).toBe(0);
      expect(await auditWidths(page, `code-failed-${locale}`)).toEqual([]);
      await page.unroute(isCode);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      // The framework also logs the files that it could not load.
      for (const fault of faults.splice(0)) expect(fault).toMatch(/preload CSS|imported module/);
      await page.goto('/nowhere/at/all');
      await page.getByRole('heading', { level: 1, name: missing }).waitFor();
    },
  );

  test('shows editors a bar while the server cannot store files', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const tmp = join(sandbox.data, 'tmp');
    await rm(tmp, { recursive: true, force: true });
    await writeFile(tmp, 'a file where the folder was');
    const visitor = await visit(server.url, { viewport: { width: 360, height: 780 } });
    onTestFinished(() => leave(visitor));
    const { page } = visitor;
    await page.clock.install();
    await page.goto('/sign-in');
    const bar = page.getByText('The server cannot store files');
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password').fill('admin-password');
    expect(await bar.count()).toBe(0);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await bar.waitFor();
    await picture(page, 'full-360-light');
    expect(await audit(page)).toEqual([]);
    await rm(tmp);
    await expect
      .poll(async () => {
        await page.clock.runFor(10_000);
        return bar.count();
      }, pollOptions)
      .toBe(0);
  });

  test('offers to reload itself after an upgrade of the server', { tags: ['full'] }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve();
    const visitor = await visit(server.url, { viewport: { width: 360, height: 780 } });
    onTestFinished(() => leave(visitor));
    const { page } = visitor;
    await page.goto('/releases');
    await page.getByText('Three steps').waitFor();
    await page.route('**/_app/version.json', (route) =>
      route.fulfill({ json: { version: 'the next one' } }),
    );
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    await page.getByText('Catalog was upgraded').waitFor();
    await picture(page, 'upgraded-360-light');
    expect(await audit(page)).toEqual([]);
    await page.unroute('**/_app/version.json');
    await page.evaluate(() => Object.assign(globalThis, { isOldPage: true }));
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.waitForFunction(() => !('isOldPage' in globalThis));
    await page.getByText('Three steps').waitFor();
    expect(await page.getByText('Catalog was upgraded').count()).toBe(0);
  });
});
