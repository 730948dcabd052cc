import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAdminScreen } from './support/admin-menu.ts';
import { closeBrowser, describeInBrowser } from './support/browser.ts';
import { drawCover } from './support/drawn-covers.ts';
import { openTestServer, type TestServer } from './support/test-server.ts';
import { openPage } from './support/visitors.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
    return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim();
  });
}

/** Presses Tab until the focused element has a matching name, like a user with a keyboard. */
async function tabTo(page: Page, name: RegExp, key = 'Tab'): Promise<void> {
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press(key);
    const focused = await focusedName(page);
    if (name.test(focused.trim())) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

async function picture(page: Page) {
  const buffer = await drawCover(page, { type: 'png', width: 298, height: 512, seed: 3 });
  return { name: 'cover.png', mimeType: 'image/png', buffer };
}

describeInBrowser('a newcomer', () => {
  test('signs in, finds, edits and reverts a release, adds a cover and a user by keyboard', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'anonymous');
    const { keyboard } = page;
    await page.goto('/releases');
    await page.getByText('400 releases').waitFor();
    await tabTo(page, /^Sign in$/);
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await tabTo(page, /^Username$/);
    await keyboard.type('admin');
    await keyboard.press('Tab');
    await keyboard.type('admin-password');
    await keyboard.press('Enter');
    await page.getByText('400 releases').waitFor();

    await keyboard.press('/');
    await keyboard.type('zeph');
    await page.getByRole('button', { name: /Remove search/ }).waitFor();
    await page.getByText('400 releases').waitFor({ state: 'hidden' }); // the results are displayed
    await tabTo(page, /Zephyr/);
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /Zephyr/ }).waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await keyboard.press('e');
    await tabTo(page, /^Genre$/);
    await keyboard.type('Sailing');
    await keyboard.press('Control+s');
    await page.getByRole('definition').filter({ hasText: 'Sailing' }).waitFor();
    await expect.poll(() => focusedName(page)).toBe('Edit');
    await keyboard.press('Control+z');
    await page.getByText('Undone').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await expect
      .poll(() => page.getByRole('definition').filter({ hasText: 'Sailing' }).count())
      .toBe(0);

    const chooser = page.waitForEvent('filechooser');
    await tabTo(page, /^Add cover$/, 'Shift+Tab');
    await keyboard.press('Enter');
    await (await chooser).setFiles(await picture(page));
    await page.getByRole('dialog', { name: 'New cover' }).waitFor();
    expect(await focusedName(page)).toBe('Use this cover');
    await keyboard.press('Enter');
    await page.getByRole('img', { name: /Cover of/ }).waitFor();

    await tabTo(page, /^admin$/, 'Shift+Tab');
    await keyboard.press('Enter');
    await page.getByRole('link', { name: 'Account' }).waitFor();
    await tabTo(page, /^Admin$/, 'Shift+Tab');
    expect(await page.getByRole('link', { name: 'Account' }).isVisible()).toBe(false);
    await keyboard.press('Enter');
    await tabTo(page, /^Users$/);
    await keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor();
    await tabTo(page, /^Add user$/);
    await keyboard.press('Enter');
    await keyboard.type('zoe');
    await keyboard.press('Tab');
    await keyboard.type('secret');
    await keyboard.press('Enter');
    await page.getByText('zoe was added').waitFor();
  });

  test('edits a release, its cover and users by touch on a phone', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'anonymous', {
      width: 360,
      hasTouch: true,
      isMobile: true,
    });
    await page.goto('/releases');
    await page.getByRole('searchbox').tap();
    await page.keyboard.type('umbr');
    await page.getByRole('button', { name: /Remove search/ }).waitFor();
    await page
      .getByRole('link', { name: /^Umbra/ })
      .first()
      .tap();
    await page.getByRole('heading', { level: 1, name: /Umbra/ }).waitFor();
    await page.getByRole('link', { name: 'Sign in', exact: true }).tap();
    await page.getByLabel('Username').fill('admin');
    await page.getByLabel('Password').fill('admin-password');
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).tap();
    await page.getByRole('button', { name: 'admin', exact: true }).waitFor();
    await page.getByRole('heading', { level: 1, name: /Umbra/ }).waitFor();

    await page.getByRole('button', { name: 'Edit', exact: true }).tap();
    await page.getByLabel('Genre').fill('Shadows');
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.getByText('Saved').waitFor();
    await page.getByRole('button', { name: 'Undo' }).tap();
    await page.getByText('Undone').waitFor();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add cover' }).tap();
    await (await chooser).setFiles(await picture(page));
    await page.getByRole('button', { name: 'Use this cover' }).tap();
    await page.getByRole('img', { name: /Cover of/ }).waitFor();

    await openAdminScreen(page, 'Users');
    await page.getByRole('button', { name: 'Add user' }).tap();
    await page.getByRole('dialog').getByLabel('Username').fill('tom');
    await page.getByRole('dialog').getByLabel('Password').fill('secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Add user' }).tap();
    await page.getByText('tom was added').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});
