import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeBrowser, describeInBrowser } from './support/browser.ts';
import { openTestServer, type TestServer } from './support/test-server.ts';
import { openPage } from './support/visitors.ts';
import { waitUntilIdle } from './support/wait-until-idle.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

const tiles = (page: Page) => page.getByRole('list', { name: 'Releases' }).getByRole('listitem');
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');

/** Changes the role of the account `editor`. */
async function setRole(role: 'user' | 'editor'): Promise<void> {
  const users = await server.catalog.accounts.listUsers();
  const id = users.find((each) => each.username === 'editor')?.id ?? 0;
  await server.catalog.accounts.updateUser(id, { role }, { kind: 'system' });
}

describeInBrowser('the catalogue', () => {
  test('is searched while the user types, and restores search and filters after Back', async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases');
    await page.getByText('400 releases').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('raci');
    await page.getByText('60 releases').waitFor();
    expect(page.url()).toContain('search=raci');
    await page.getByRole('button', { name: 'Platform', exact: true }).click();
    await page.getByRole('option', { name: /^Sony - PlayStation \d/ }).click();
    await page.getByRole('button', { name: /Remove Platform filter/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('60 releases').waitFor();
    await tiles(page).nth(3).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: /Racing/ }).waitFor();
    await expect.poll(() => focused(page)).toContain('Racing');
    expect(await page.title()).toContain('Racing');
    await page.goBack();
    await page.getByText('60 releases').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('raci');
    await page.getByRole('button', { name: /Remove Platform filter/ }).click();
    await page.getByRole('button', { name: /Remove search/ }).click();
    await page.getByText('400 releases').waitFor();
  });

  test('moves the focus to the first result on Enter with a single request', async () => {
    const { page } = await openPage(server, 'anonymous');
    const requested: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/releases?')) requested.push(request.url());
    });
    await page.goto('/releases');
    await page.getByText('400 releases').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('raci');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toContain('Racing');
    const [first] = await tiles(page).allTextContents();
    expect(await focused(page)).toBe(first?.trim());
    const searched = requested.filter((each) => each.includes('search=raci'));
    expect(searched).toHaveLength(1);
    expect(requested.filter((each) => /[?&]at=/.test(each))).toEqual([]);
  });

  test('keeps the focus on a release when switching between covers and table', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases');
    await tiles(page).first().getByRole('link').focus();
    await page.keyboard.press('End');
    await expect.poll(() => focused(page)).not.toBe('');
    const name = (await focused(page)).replace(/\).*/s, ')');
    await page.keyboard.press('v');
    await page.getByRole('table').waitFor();
    await expect.poll(() => focused(page)).toContain(name);
    await page.keyboard.press('v');
    await tiles(page).first().waitFor();
    await expect.poll(() => focused(page)).toContain(name);
  });

  test('keeps its position in the URL and after Back', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.clock.install();
    await page.goto('/releases');
    await page.getByRole('button', { name: 'Jump to R' }).click();
    await expect.poll(() => page.url()).toMatch(/at=\d+/);
    const link = page.getByRole('link', { name: /^River/ }).first();
    const first = (await link.textContent())?.trim();
    const url = page.url();
    const top = await page.evaluate(() => scrollY);
    await link.click();
    await page.getByRole('heading', { level: 1, name: /River/ }).waitFor();
    await page.clock.fastForward(1100); // after this time, the page requests the list again
    const again = page.waitForResponse(/\/api\/releases\?/);
    await page.goBack();
    await again;
    await expect.poll(() => focused(page)).toBe(first);
    await waitUntilIdle(page);
    expect([page.url(), await page.evaluate(() => scrollY)]).toEqual([url, top]);
    await page.reload();
    await link.waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
  });

  test('is sorted, and searched by serial and checksum', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases');
    await page.getByLabel('Order').selectOption('newest');
    await expect.poll(() => tiles(page).first().textContent()).toContain('The ');
    expect(page.url()).toContain('order=newest');
    expect(await page.getByRole('navigation', { name: 'Jump to' }).count()).toBe(0);
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('000007d5'.repeat(5));
    await page.getByText('1 release', { exact: true }).waitFor();
    await tiles(page).getByText('Racing 5').waitFor();
    await search.fill('ULUS-10007');
    await page.getByText('1 release', { exact: true }).waitFor();
  });

  test('selects the relevance order for a search unless the user chose another one', async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases?search=e');
    const order = page.getByLabel('Order');
    await tiles(page).first().waitFor();
    expect(await order.inputValue()).toBe('relevance');
    expect(await page.getByRole('navigation', { name: 'Jump to' }).count()).toBe(0);
    await order.selectOption('title');
    await expect.poll(() => page.url()).toContain('order=title');
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('ri');
    await expect.poll(() => page.url()).toMatch(/search=ri&order=title/);
    await order.selectOption('relevance');
    await expect.poll(() => page.url()).not.toContain('order=');
    await search.fill('');
    await expect.poll(() => order.inputValue()).toBe('title');
  });

  test('shows counts for filter options that are not selected', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/releases?platform=Sony+-+PlayStation');
    await page.getByText('60 releases').waitFor();
    const options = async (label: string) => {
      await page.getByRole('button', { name: label, exact: true }).click();
      const values = page.getByRole('listbox', { name: label }).getByRole('option');
      await values.first().waitFor();
      const texts = await values.allTextContents();
      await page.keyboard.press('Escape');
      return texts.map((text) => text.trim().replace(/\s+/g, ' '));
    };
    expect(await options('Platform')).toContain('Sony - PlayStation Portable 323');
    expect(await options('Region')).toEqual(['Europe 60']);
    expect(await options('Type')).toEqual(['Games 60']);
  });

  test('is operated by shortcut keys, except while typing in a field', async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/releases');
    await tiles(page).first().getByRole('link').focus();
    const names = await tiles(page).allTextContents();
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe(names[1]?.trim());
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('End');
    await expect.poll(() => focused(page)).toContain('Zephyr');
    await page.keyboard.press('Home');
    await expect.poll(() => focused(page)).toBe(names[0]?.trim());
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+X');
    await page.getByText(/^[6-9] selected/).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('v');
    await page.getByRole('table', { name: 'Releases' }).waitFor();
    await page.keyboard.press('v');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('vx?e');
    await page.getByText('No release matches').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('vx?e');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('sets one field for many releases and reports failures', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/releases?search=picture');
    await page.getByText('17 releases').waitFor();
    await tiles(page).first().getByRole('link').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+X');
    await page.getByText('17 selected').waitFor();
    await page.getByRole('button', { name: 'Edit field' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field').selectOption('genre');
    await dialog.getByLabel('New value').fill('Drama');
    await setRole('user');
    await dialog.getByRole('button', { name: 'Apply to all' }).click();
    await dialog.getByText('17 releases were not changed').waitFor();
    await dialog.getByText('Your role does not allow this').first().waitFor();
    await setRole('editor');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('17 releases were changed').waitFor();
    await expect.poll(() => focused(page)).toBe('Done');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toMatch(/Picture/);
    await page.keyboard.press('Escape');
    await tiles(page).first().getByRole('link').click();
    await page.getByText('Drama').waitFor();
  });

  test('continues a bulk edit after the session ended', { tags: ['full'] }, async () => {
    const { page, context } = await openPage(server, 'editor');
    await page.goto('/releases?search=picture');
    await page.getByText('17 releases').waitFor();
    await tiles(page).first().getByRole('link').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+X');
    await page.getByRole('button', { name: 'Edit field' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field').selectOption('developer');
    await dialog.getByLabel('New value').fill('Kept Studio');
    await context.clearCookies();
    await dialog.getByRole('button', { name: 'Apply to all' }).click();
    await dialog.getByText('Sign in to continue').waitFor();
    expect(await dialog.getByText('not changed').count()).toBe(0);
    await dialog.getByLabel('Username').fill('editor');
    await dialog.getByLabel('Password').fill('editor');
    await page.keyboard.press('Enter');
    await dialog.getByText('17 releases were changed').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('Escape');
    await tiles(page).first().getByRole('link').click();
    await page.getByText('Kept Studio').waitFor();
  });

  test('loads at most 90 KiB of code for its first view, and renders at most 400 tiles', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'anonymous');
    const sizes: Promise<string | null>[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (/\.(js|css)$/.test(pathname) || pathname === '/releases')
        sizes.push(response.headerValue('content-length'));
    });
    // Browsers accept Brotli only over HTTPS, but this browser would also accept it on loopback.
    await page.route('**/*', (route) => {
      const headers = { ...route.request().headers(), 'accept-encoding': 'gzip' };
      return route.continue({ headers });
    });
    // The code of other screens is loaded when the browser is idle, which is not the first view.
    await page.addInitScript(() => Object.assign(globalThis, { requestIdleCallback: () => 0 }));
    await page.goto('/releases');
    await tiles(page).first().waitFor();
    await waitUntilIdle(page);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + Number(size), 0);
    console.log(`first view: ${bytes} bytes of script and style, gzip`);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(90 * 1024);
    const before = await tiles(page).count();
    await page.setViewportSize({ width: 3800, height: 5000 });
    await expect.poll(() => tiles(page).count()).toBeGreaterThan(before);
    await waitUntilIdle(page);
    expect(await tiles(page).count()).toBeLessThanOrEqual(400);
  });

  test('shows why it cannot be loaded, and tries again', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'anonymous');
    const broken = (url: URL) => url.pathname === '/api/releases';
    await page.route(broken, (route) =>
      route.fulfill({ status: 500, json: { detail: 'internal error' } }),
    );
    await page.goto('/releases');
    await page.getByText('The server reported an error. Try again.').waitFor();
    await page.unroute(broken);
    await page.getByRole('button', { name: 'Try again' }).click();
    await tiles(page).first().waitFor();
  });

  test('disables animations when reduced motion is preferred', { tags: ['full'] }, async () => {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      const { page } = await openPage(server, 'anonymous', { reducedMotion });
      await page.route('**/api/releases?*', () => {}); // never sends a response
      await page.goto('/releases');
      await page.locator('.skeleton').first().waitFor();
      const longest = await page.evaluate(() =>
        Math.max(
          ...[...document.querySelectorAll('*')].flatMap((each) => {
            const { animationDuration, transitionDuration } = getComputedStyle(each);
            return [animationDuration, transitionDuration].map(Number.parseFloat);
          }),
        ),
      );
      if (reducedMotion === 'reduce') expect(longest).toBeLessThanOrEqual(0.001);
      else expect(longest).toBeGreaterThan(0.1);
    }
  });
});
