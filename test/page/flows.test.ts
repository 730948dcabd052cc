import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { closeBrowser, leave, skipsBrowser, type Visitor, visit } from './browser.ts';
import { drawCover } from './drawn-covers.ts';
import { hostileNames, openShop, type Shop, signIn } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  if (!skipsBrowser) shop = await openShop();
});
afterAll(async () => {
  await closeBrowser();
  await shop?.close();
});

/** A visitor of this role; the test fails when anything went wrong in the browser. */
async function come(who: 'nobody' | 'user' | 'editor' | 'admin', width = 1440): Promise<Visitor> {
  const visitor = await visit(shop.url, { viewport: { width, height: 900 } });
  onTestFinished(() => leave(visitor));
  visitor.page.on('dialog', (dialog) => visitor.faults.push(`a name ran: ${dialog.message()}`));
  if (who !== 'nobody') await signIn(visitor.page, who);
  return visitor;
}

const tiles = (page: Page) => page.getByRole('list', { name: 'Releases' }).getByRole('listitem');
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');

/** Gives the account `editor` another role. */
async function setRole(role: 'user' | 'editor'): Promise<void> {
  const users = await shop.catalog.accounts.listUsers();
  const id = users.find((each) => each.username === 'editor')?.id ?? 0;
  await shop.catalog.accounts.updateUser(id, { role }, { kind: 'system' });
}

describe.skipIf(skipsBrowser)('the catalogue', () => {
  test('is searched while typing, narrowed, and comes back as it was', async () => {
    const { page } = await come('nobody');
    await page.goto('/');
    await page.getByText('400 releases').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially('raci');
    await page.getByText('60 releases').waitFor();
    expect(page.url()).toContain('search=raci');
    await page.getByLabel('Platform', { exact: true }).selectOption('Sony - PlayStation');
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

  test('keeps its place in the address and after Back', async () => {
    const { page } = await come('nobody');
    await page.goto('/');
    await page.getByRole('button', { name: 'Jump to R' }).click();
    await expect.poll(() => page.url()).toMatch(/at=\d+/);
    const link = page.getByRole('link', { name: /^River/ }).first();
    const first = (await link.textContent())?.trim();
    const address = page.url();
    const top = await page.evaluate(() => scrollY);
    await link.click();
    await page.getByRole('heading', { level: 1, name: /River/ }).waitFor();
    await page.waitForTimeout(1100); // the list is old enough to be asked for again
    await page.goBack();
    await expect.poll(() => focused(page)).toBe(first);
    await page.waitForLoadState('networkidle');
    expect([page.url(), await page.evaluate(() => scrollY)]).toEqual([address, top]);
    await page.reload();
    await link.waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
  });

  test('is walked by keys, which never act in a field', async () => {
    const { page } = await come('editor');
    await page.goto('/');
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
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('vx?e');
    await page.getByText('No release matches').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('vx?e');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('sets one field for many, and says what failed', async () => {
    const { page } = await come('editor');
    await page.goto('/?search=picture');
    await page.getByText('17 releases').waitFor();
    await tiles(page).first().getByRole('link').focus();
    await page.keyboard.press('x');
    await page.keyboard.press('End');
    await page.keyboard.press('Shift+X');
    await page.getByText('17 selected').waitFor();
    await page.getByRole('button', { name: 'Set a field' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field').selectOption('genre');
    await dialog.getByLabel('New value').fill('Drama');
    await setRole('user');
    await dialog.getByRole('button', { name: 'Set for all' }).click();
    await dialog.getByText('17 releases were not changed').waitFor();
    await dialog.getByText('Your role does not allow this').first().waitFor();
    await setRole('editor');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByText('17 releases were changed').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.keyboard.press('Escape');
    await tiles(page).first().getByRole('link').click();
    await page.getByText('Drama').waitFor();
  });

  test('has at most 400 tiles, and a first view of at most 80 KiB', async () => {
    const { page } = await come('nobody');
    const sizes: Promise<string | null>[] = [];
    page.on('response', (answer) => {
      const { pathname } = new URL(answer.url());
      if (/\.(js|css)$/.test(pathname) || pathname === '/')
        sizes.push(answer.headerValue('content-length'));
    });
    // browsers take Brotli over HTTPS only; this one would take it from loopback
    await page.route('**/*', (route) => {
      const headers = { ...route.request().headers(), 'accept-encoding': 'gzip' };
      return route.continue({ headers });
    });
    await page.goto('/');
    await tiles(page).first().waitFor();
    await page.waitForLoadState('networkidle');
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + Number(size), 0);
    console.log(`first view: ${bytes} bytes of script and style, gzip`);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(80 * 1024);
    await page.setViewportSize({ width: 3800, height: 5000 });
    await page.waitForTimeout(300);
    expect(await tiles(page).count()).toBeLessThanOrEqual(400);
  });
});

describe.skipIf(skipsBrowser)('a release', () => {
  test('is edited in place; undone before and after saving', async () => {
    const { page } = await come('editor');
    await page.goto(`/releases/${await shop.idOf('Beacon Kestrel 1 (Europe)')}`);
    await page.getByRole('heading', { level: 1, name: /Beacon/ }).waitFor();
    await page.keyboard.press('e');
    await page.getByLabel('Genre').fill('Racing');
    await page.getByLabel('Name').fill('Beacon Changed');
    await page.keyboard.press('Control+z');
    expect(await page.getByLabel('Name').inputValue()).toContain('Beacon Kestrel');
    await page.getByLabel('Name').fill('');
    await page.getByText('A release needs a name').waitFor();
    await page.getByLabel('Name').fill('Beacon Edited');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { level: 1, name: 'Beacon Edited' }).waitFor();
    await page.getByText('Racing').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { level: 1, name: /Beacon Kestrel/ }).waitFor();
    expect(await page.getByText('Racing', { exact: true }).count()).toBe(0);
  });

  test('asks before it drops what was typed', async () => {
    const { page } = await come('editor');
    await page.goto(`/releases/${await shop.idOf('Comet River 2 (Japan)')}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Publisher').fill('Somebody');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();
    expect(await page.getByLabel('Publisher').inputValue()).toBe('Somebody');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  });

  test('gets a cover, previewed; what is no picture is refused before it is sent', async () => {
    const { page } = await come('editor');
    const folder = await mkdtemp(join(tmpdir(), 'catalog-cover-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'no.png'), 'no picture');
    await writeFile(
      join(folder, 'yes.webp'),
      await drawCover(page, { type: 'webp', width: 298, height: 512, seed: 4 }),
    );
    const id = await shop.idOf('Delta');
    await page.goto(`/releases/${id}`);
    const input = page.locator('input[type=file]');
    await input.setInputFiles(join(folder, 'no.png'));
    await page.getByText('not a PNG, JPEG or WebP').waitFor();
    await input.setInputFiles(join(folder, 'yes.webp'));
    await page.getByRole('dialog', { name: 'The new cover' }).getByRole('img').waitFor();
    await page.getByRole('button', { name: 'Use this cover' }).click();
    await page.getByText('Cover stored').waitFor();
    await page.getByRole('img', { name: /Cover of/ }).waitFor();
    expect((await fetch(`${shop.url}/api/cover/${id}`)).headers.get('content-type')).toBe(
      'image/webp',
    );
    await page.getByRole('button', { name: 'Remove cover' }).click();
    await page.getByText('Cover removed').waitFor();
    expect((await fetch(`${shop.url}/api/cover/${id}`)).status).toBe(404);
  });

  test('leads to its neighbours with [ and ]', async () => {
    const { page } = await come('nobody');
    await page.goto('/');
    const names = (await tiles(page).allTextContents()).map(
      (each) => each.split('(')[0]?.trim() ?? '',
    );
    await tiles(page).nth(4).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: names[4] ?? '' }).waitFor();
    await page.keyboard.press(']');
    await page.getByRole('heading', { level: 1, name: names[5] ?? '' }).waitFor();
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    await page.getByRole('heading', { level: 1, name: names[3] ?? '' }).waitFor();
  });

  test('shows hostile names as they are, and edits them', async () => {
    const { page } = await come('editor');
    for (const name of hostileNames) {
      await page.goto(`/releases/${await shop.idOf(name.slice(0, 20))}`);
      await page.getByRole('heading', { level: 1, name: 'Ace' }).waitFor();
      await page.keyboard.press('e');
      expect((await page.getByLabel('Name').inputValue()).startsWith('Ace ')).toBe(true);
    }
  });

  test('hashes are copied where there is no clipboard', async () => {
    const { port } = new URL(shop.url);
    const visitor = await visit(`http://catalog.lan:${port}`, {
      args: ['--host-resolver-rules=MAP catalog.lan 127.0.0.1'],
    });
    onTestFinished(() => leave(visitor));
    const { page } = visitor;
    await page.goto(`/releases/${await shop.idOf('Amber')}`);
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await page.getByRole('button', { name: 'Copy SHA-1' }).click();
    await page.getByText('Copied').waitFor();
    await signIn(page, 'user');
  });
});

describe.skipIf(skipsBrowser)('people', () => {
  test('sign in, are refused in words, and are signed out in every tab', async () => {
    const visitor = await come('user');
    const other = await visitor.newTab();
    await other.goto('/account');
    await other.getByRole('heading', { name: 'Change password' }).waitFor();
    await visitor.page.getByRole('button', { name: 'user', exact: true }).click();
    await visitor.page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('main').getByLabel('Username').fill('user');
    await other.getByLabel('Password').fill('wrong');
    await other.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await other.getByText('Wrong username or password').waitFor();
    await other.getByLabel('Password').fill('user');
    await other.keyboard.press('Enter');
    await visitor.page.getByRole('button', { name: 'user', exact: true }).waitFor();
    const kept = await other.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    );
    expect(kept).not.toContain('cat_');
  });

  test('wait when there were too many attempts', async () => {
    const strict = await openShop({ 'login-failures': '2' });
    onTestFinished(() => strict.close());
    const visitor = await visit(strict.url);
    onTestFinished(() => leave(visitor));
    const { page } = visitor;
    await page.goto('/sign-in');
    await page.getByLabel('Username').fill('user');
    for (let attempt = 0; attempt < 3; attempt++) {
      await page.getByLabel('Password').fill('wrong');
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').waitFor();
    }
    await page.getByText(/Too many attempts. Try again in \d+ s/).waitFor();
    expect(await page.getByRole('main').getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(
      true,
    );
  });

  test('are added, changed, reset and deleted by an admin', async () => {
    const { page } = await come('admin');
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByText('The last active admin stays one').waitFor();
    expect(await page.getByLabel('Role of admin').isDisabled()).toBe(true);
    const add = async (name: string) => {
      await page.getByRole('button', { name: 'Add user' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Username').fill(name);
      await dialog.getByLabel('Password').fill('secret');
      await dialog.getByRole('button', { name: 'Add user' }).click();
    };
    await add('editor');
    await page.getByText('This username is taken').waitFor();
    await page.keyboard.press('Escape');
    await add('zoe <b>');
    await page.getByText('zoe <b> was added').waitFor();
    await page.getByLabel('Role of zoe <b>').selectOption('editor');
    await page.getByLabel('zoe <b> may sign in').uncheck();
    await page.getByRole('row', { name: /zoe/ }).getByText('Inactive').waitFor();
    const act = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for zoe <b>' }).click();
      await page.getByRole('row', { name: /zoe/ }).getByRole('button', { name: action }).click();
    };
    await act('Reset password');
    await page.getByRole('dialog').getByLabel('New password').fill('other');
    await page.getByRole('dialog').getByRole('button', { name: 'Reset password' }).click();
    await page.getByText('Password of zoe <b> was reset').waitFor();
    await act('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete zoe <b>' }).click();
    await page.getByText('zoe <b> was deleted').waitFor();
    expect(await page.getByLabel('Role of zoe <b>').count()).toBe(0);
  });

  test('make a token that is shown once, and change language, colours and keys', async () => {
    const { page } = await come('user');
    await page.goto('/account');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('dialog').getByLabel('Label').fill('backup');
    await page.getByRole('dialog').getByRole('button', { name: 'Make token' }).click();
    const value = await page.getByRole('dialog').getByText(/^cat_/).textContent();
    const answer = await fetch(`${shop.url}/api/auth/me`, {
      headers: { authorization: `Bearer ${value}` },
    });
    expect(answer.status).toBe(200);
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke backup' }).click();
    await page.getByText('No tokens yet').waitFor();
    await page.getByLabel('Theme').selectOption('dark');
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.getByLabel('Single-key shortcuts').uncheck();
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('heading', { level: 1, name: 'Konto' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
    await page.goto('/');
    await page.getByText('400 Einträge').waitFor();
    await page.keyboard.press('?');
    await page.keyboard.press('v');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('table').count()).toBe(0);
  });
});
