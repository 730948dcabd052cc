import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { pollOptions } from '../support/poll-options.ts';
import { useSandbox } from '../support/process.ts';
import { openAdminScreen } from './support/admin-menu.ts';
import { audit } from './support/audit.ts';
import { closeBrowser, describeInBrowser, leave, picture, visit } from './support/browser.ts';

afterAll(closeBrowser);

describeInBrowser('the server', () => {
  test('shows a bar while it is unreachable, keeps the page, and recovers', async () => {
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

  test('shows a bar to editors while it cannot store files', async () => {
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

  test('offers open pages to reload after an upgrade', { tags: ['full'] }, async () => {
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
