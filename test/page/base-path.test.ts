/** @module-tag full */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAdminScreen } from './support/admin-menu.ts';
import { closeBrowser, describeInBrowser } from './support/browser.ts';
import { openTestServer, type TestServer } from './support/test-server.ts';
import { openPage } from './support/visitors.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ 'base-path': '/our/catalog' });
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

describeInBrowser('the page below a base path', () => {
  test('keeps every link and request below the path, even after a reload or Back', async () => {
    const { page } = await openPage(server, 'anonymous');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const base = `${server.url}/our/catalog`;
    const linksStay = async () => {
      const links = await page
        .locator('a[href^="/"]')
        .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
      for (const each of links) expect(each).toMatch(/^\/our\/catalog(\/|$)/);
    };
    await page.goto('/our/catalog');
    const link = page.getByRole('link', { name: /^Amber/ }).first();
    await link.waitFor();

    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password').fill('admin-password');
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await link.waitFor();
    expect(page.url()).toMatch(/\/our\/catalog\/releases$/);

    await page.getByRole('searchbox').first().fill('Amber');
    await expect.poll(() => page.url()).toBe(`${base}/releases?search=Amber`);
    await link.click();
    await page.getByRole('heading', { name: 'ROMs' }).waitFor();
    expect(page.url()).toMatch(/\/our\/catalog\/releases\/\d+$/);
    await page.reload();
    await page.getByRole('heading', { name: 'ROMs' }).waitFor();
    await page.goBack();
    await expect.poll(() => page.url()).toBe(`${base}/releases?search=Amber`);

    await page.getByRole('banner').getByRole('link', { name: 'Downloads' }).click();
    await expect.poll(() => page.url()).toBe(`${base}/store`);
    for (const name of ['Imports', 'Jobs', 'Dashboard', 'Audit', 'Users']) {
      await openAdminScreen(page, name);
      await expect.poll(() => page.url()).toBe(`${base}/${name.toLowerCase()}`);
      const current = page.locator(`#admin-menu a[aria-current="page"]:text-is("${name}")`);
      await current.waitFor({ state: 'attached' });
      await linksStay();
    }
    await page.goto('/our/catalog/library/platforms');
    await expect.poll(() => page.url()).toBe(`${base}/platforms`);
    await page.getByRole('heading', { name: 'Sony - PlayStation', exact: true }).waitFor();
    await linksStay();
    await page.getByRole('link', { name: 'Downloads', exact: true }).click();
    await page
      .locator('input[type=file][multiple]:not([webkitdirectory])')
      .first()
      .setInputFiles({
        name: 'below.zip',
        mimeType: 'application/zip',
        buffer: Buffer.alloc(100_000, 'x'),
      });
    await page.getByRole('link', { name: 'below.zip' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'below.zip' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('below.zip');

    await page.getByRole('button', { name: 'admin', exact: true }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    const own = requested.filter((url) => url.startsWith(server.url));
    expect(own.filter((url) => !url.startsWith(base))).toEqual([]);
  });
});
