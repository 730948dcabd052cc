/** @module-tag full */
import type { Page } from 'playwright-core';
import { checkStates } from './check-states.ts';

/** Opens the actions for the account `editor` in German, because German words are long. */
async function actInGerman(page: Page, action: string): Promise<void> {
  await page.goto('/account');
  await page.getByLabel('Language').selectOption('de');
  await page.goto('/users');
  await page.getByRole('button', { name: 'Aktionen für editor' }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
  await page.getByRole('dialog').waitFor();
}

checkStates([
  ['users-signed-out', 'anonymous', (page) => page.goto('/users')],
  ['users-forbidden', 'user', (page) => page.goto('/users')],
  ['account-signed-out', 'anonymous', (page) => page.goto('/account')],
  [
    'add-user',
    'admin',
    async (page) => {
      await page.goto('/users');
      await page.getByRole('button', { name: 'Add user' }).click();
    },
  ],
  [
    'user-menu',
    'admin',
    async (page) => {
      await page.goto('/users');
      await page.getByRole('button', { name: 'Actions for editor' }).click();
    },
  ],
  [
    'new-token',
    'user',
    async (page) => {
      await page.goto('/account');
      await page.getByRole('button', { name: 'New token' }).click();
    },
  ],
  [
    'delete-user',
    'admin',
    async (page) => {
      await page.goto('/users');
      await page.getByRole('button', { name: 'Actions for editor' }).click();
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  ['reset-password', 'admin', (page) => actInGerman(page, 'Passwort zurücksetzen')],
  ['user-tokens', 'admin', (page) => actInGerman(page, 'Tokens')],
  [
    'password-session-ended',
    'user',
    async (page) => {
      await page.goto('/account');
      await page.getByLabel('Current password').fill('old');
      await page.getByLabel('New password').fill('new');
      await page.getByLabel('Once more, to confirm').fill('new');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Sign in to continue').waitFor();
    },
  ],
]);
