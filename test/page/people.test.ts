import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { testFirstOfEach } from '../support/first-of-each.ts';
import { startTestApp } from '../support/http/app.ts';
import { openAdminScreen } from './support/admin-menu.ts';
import { auditWidths } from './support/audit-widths.ts';
import { closeBrowser, describeInBrowser, leave, visit } from './support/browser.ts';
import { openTestServer, signIn, type TestServer } from './support/test-server.ts';
import { openPage } from './support/visitors.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

/**
 * Creates a token with the label `of a program`. The account's password must equal its user name.
 */
async function tokenOf(username: string): Promise<string> {
  const post = async (path: string, body: object, headers = {}) => {
    const init = { method: 'POST', body: JSON.stringify(body) };
    const type = { 'content-type': 'application/json' };
    const response = await fetch(server.url + path, { ...init, headers: { ...type, ...headers } });
    return ((await response.json()) as { token: string }).token;
  };
  const login = await post('/api/auth/login', { username, password: username });
  const authorization = `Bearer ${login}`;
  return post('/api/auth/tokens', { label: 'of a program', expires_in_days: 1 }, { authorization });
}

async function statusFor(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${server.url}/api/auth/me`, { headers })).status;
}

describeInBrowser('users', () => {
  test('sign in, see why sign-in failed, and are signed out in every tab', async () => {
    const visitor = await openPage(server, 'anonymous');
    await signIn(visitor.page, 'user');
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
    const stored = await other.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    );
    expect(stored).not.toContain('cat_');
  });

  test('must wait after too many failed sign-ins', { tags: ['full'] }, async () => {
    const strict = await startTestApp({ 'login-failures': '2' });
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
    const countdown = page.getByText(/Too many attempts. Try again in \d+ s/);
    const first = await countdown.textContent();
    await expect.poll(() => countdown.textContent()).not.toBe(first);
    expect(await page.getByRole('main').getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(
      true,
    );
  });

  test('are added, edited and deleted by an admin, who also resets their passwords', async () => {
    const { page } = await openPage(server, 'admin');
    await page.goto('/releases');
    await openAdminScreen(page, 'Users');
    await page.getByText('This is the last active admin').waitFor();
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
    await page.locator('input:focus').and(page.getByLabel('Username')).waitFor();
    await page.keyboard.press('Escape');
    await add('zoe <b>');
    await page.getByText('zoe <b> was added').waitFor();
    expect(await page.locator('.notice').count()).toBe(0); // the table shows the user
    await page.getByLabel('Role of zoe <b>').selectOption('editor');
    await page.getByLabel('zoe <b> may sign in').uncheck();
    await page.getByRole('row', { name: /zoe/ }).getByText('Inactive').waitFor();
    const act = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for zoe <b>' }).click();
      await page.getByRole('row', { name: /zoe/ }).getByRole('menuitem', { name: action }).click();
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

  test('sign in again when the session ended while adding a user', { tags: ['full'] }, async () => {
    const { page, context } = await openPage(server, 'admin');
    await page.goto('/users');
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add user' });
    await dialog.getByLabel('Username').fill('late');
    await dialog.getByLabel('Password').fill('kept');
    await context.clearCookies();
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await dialog.getByText('Sign in to continue').waitFor();
    await dialog.getByLabel('Username').last().fill('admin');
    await dialog.getByLabel('Password').last().fill('admin-password');
    await page.keyboard.press('Enter');
    await page.getByText('late was added').waitFor();
  });

  test('have tokens that an admin sees and revokes', { tags: ['full'] }, async () => {
    const token = await tokenOf('editor');
    const { page } = await openPage(server, 'admin');
    await page.goto('/users');
    await page.getByRole('button', { name: 'Actions for editor' }).click();
    await page
      .getByRole('row', { name: /^editor/ })
      .getByRole('menuitem', { name: 'Tokens' })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Tokens of editor' });
    expect(await statusFor(token)).toBe(200);
    await dialog.getByRole('button', { name: 'Revoke of a program' }).click();
    await dialog.getByText('of a program').waitFor({ state: 'hidden' });
    expect(await statusFor(token)).toBe(401);
  });

  test('create and revoke a token, and change language, theme and shortcuts', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/account');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByRole('dialog').getByLabel('Label').fill('backup');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    const value = await page.getByRole('dialog').getByText(/^cat_/).textContent();
    expect(await statusFor(value ?? '')).toBe(200);
    await page
      .locator('button:focus')
      .and(page.getByRole('button', { name: 'Done' }))
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Revoke backup' }).click();
    await page.getByText('No tokens yet').waitFor();
    await page.getByLabel('Theme').selectOption('dark');
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.getByLabel('Single-key shortcuts').uncheck();
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('heading', { level: 1, name: 'Konto' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
    await page.goto('/releases');
    await page.getByText('400 Veröffentlichungen').waitFor();
    await page.keyboard.press('?');
    await page.keyboard.press('v');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('table').count()).toBe(0);
  });

  testFirstOfEach([
    [
      'en-GB',
      'New password',
      'Once more, to confirm',
      'Show',
      'Generate',
      'The two entries differ',
    ],
    [
      'de-DE',
      'Neues Passwort',
      'Noch einmal zur Bestätigung',
      'Anzeigen',
      'Erzeugen',
      'Die beiden Eingaben',
    ],
  ])(
    'show, confirm and generate a new password (%s)',
    async (locale, next, confirm, show, generate, differ) => {
      const { page } = await openPage(server, 'user', { locale });
      await page.goto('/account');
      const [field, again] = [page.getByLabel(next), page.getByLabel(confirm)];
      const form = page.locator('form').filter({ has: field });
      await form.locator('input[autocomplete=current-password]').fill('user');
      await field.fill('one');
      await again.fill('other');
      expect(await field.getAttribute('type')).toBe('password');
      await page.keyboard.press('Enter');
      await page.getByText(differ).waitFor();
      await page.locator('input:focus').and(again).waitFor();
      const showing = form.getByRole('button', { name: show }).nth(1);
      await showing.click();
      expect(await field.getAttribute('type')).toBe('text');
      expect(await showing.getAttribute('aria-pressed')).toBe('true');
      await form.getByRole('button', { name: generate }).click();
      const value = await field.inputValue();
      expect(value).toMatch(/^[A-Za-z2-9]{20}$/);
      expect(await again.inputValue()).toBe(value);
      expect(await page.getByText(differ).count()).toBe(0);
      expect(await auditWidths(page, `account-password-${locale}`)).toEqual([]);
    },
  );

  test('see in their language which password is wrong', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user', { locale: 'de-DE' });
    await page.goto('/account');
    await page.getByLabel('Aktuelles Passwort').fill('wrong');
    await page.getByLabel('Neues Passwort').fill('other');
    await page.getByLabel('Noch einmal zur Bestätigung').fill('other');
    await page.getByRole('button', { name: 'Passwort ändern' }).click();
    await page.getByText('Das ist nicht dein aktuelles Passwort').waitFor();
    const field = page.getByLabel('Aktuelles Passwort');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Neues Passwort').getAttribute('aria-invalid')).toBeNull();
    expect(await field.inputValue()).toBe('wrong');
  });

  /**
   * Creates an account whose password equals its name. Opens a browser in which a new password is
   * typed but not saved.
   */
  async function typeNewPassword(name: string) {
    await server.catalog.accounts.createUser(
      { username: name, password: name, role: 'user' },
      { kind: 'system' },
    );
    const visitor = await openPage(server, 'anonymous');
    const { page } = visitor;
    await page.goto('/sign-in');
    const signInAgain = async (form: Locator, password: string) => {
      await form.getByLabel('Username').fill(name);
      await form.getByLabel('Password', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
    };
    await signInAgain(page.getByRole('main'), name);
    await page.getByRole('button', { name, exact: true }).waitFor();
    await page.goto('/account');
    await page.getByLabel('Current password').fill(name);
    await page.getByLabel('New password').fill(`${name} anew`);
    await page.getByLabel('Once more, to confirm').fill(`${name} anew`);
    return { ...visitor, signInAgain };
  }

  test('sign in again when the session ended while changing the password', {
    tags: ['full'],
  }, async () => {
    const { page, context, signInAgain } = await typeNewPassword('holder');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Sign in to continue').waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('holder anew');
    await signInAgain(page.locator('form').filter({ hasText: 'Username' }), 'holder');
    await page.getByText('Password changed').waitFor();
  });

  test('keep a typed password after signing out in another tab, hidden from other users', {
    tags: ['full'],
  }, async () => {
    const { page, newTab, signInAgain } = await typeNewPassword('keeper');
    const other = await newTab();
    const signOut = async () => {
      await other.goto('/releases');
      await other.getByRole('button', { name: 'keeper', exact: true }).click();
      await other.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('Sign in to see this').waitFor();
    };
    await signOut();
    expect(await page.getByLabel('New password').count()).toBe(0);
    await signInAgain(page.getByRole('main'), 'keeper');
    await expect.poll(() => page.getByLabel('New password').inputValue()).toBe('keeper anew');
    await signOut();
    await signIn(other, 'user');
    await page.getByRole('button', { name: 'user', exact: true }).waitFor();
    await expect.poll(() => page.getByLabel('New password').inputValue()).toBe('');
  });

  test('see which session is their browser, and end the others by changing the password', {
    tags: ['full'],
  }, async () => {
    await server.catalog.accounts.createUser(
      { username: 'mover', password: 'mover', role: 'user' },
      { kind: 'system' },
    );
    const visitors = [
      await openPage(server, 'anonymous'),
      await openPage(server, 'anonymous'),
    ] as const;
    for (const { page } of visitors) {
      await page.goto('/sign-in');
      await page.getByLabel('Username').fill('mover');
      await page.getByLabel('Password').fill('mover');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'mover', exact: true }).waitFor();
    }
    const [{ page }, other] = visitors;
    await page.goto('/account');
    await page.getByText(/^Browser, signed in .*\(this browser\)$/).waitFor();
    const browsers = page.getByRole('button', { name: /^Revoke/ });
    expect([await browsers.count(), await page.getByText('(this browser)').count()]).toEqual([
      2, 1,
    ]);
    await page.getByLabel('Current password').fill('mover');
    await page.getByLabel('New password').fill('moved');
    await page.getByLabel('Once more, to confirm').fill('moved');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    await expect.poll(() => browsers.count()).toBe(1);
    await other.page.goto('/account');
    await other.page.getByText('Sign in to see this').waitFor();
    await browsers.click();
    await page.getByText('Sign in to see this').waitFor();
  });
});
