import { lookAtStates } from './look-at-states.ts';

lookAtStates([
  ['users-signed-out', 'nobody', (page) => page.goto('/users')],
  ['users-forbidden', 'user', (page) => page.goto('/users')],
  ['account-signed-out', 'nobody', (page) => page.goto('/account')],
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
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
]);
