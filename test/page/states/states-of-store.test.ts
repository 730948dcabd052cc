/** @module-tag full */
import { checkStates } from './check-states.ts';

const archive = 'Quartz Quest (Europe).zip';

checkStates([
  ['store-anonymous', 'anonymous', (page) => page.goto('/store')],
  [
    'store-empty',
    'editor',
    async (page) => {
      await page.goto('/store?system=videos');
      await page.getByText('No archives yet').waitFor();
    },
  ],
  [
    'store-nothing-found',
    'user',
    async (page) => {
      await page.goto('/store?q=nothing%20like%20this');
      await page.getByText('No archive matches').waitFor();
    },
  ],
  [
    'store-delete',
    'editor',
    async (page) => {
      await page.goto('/store');
      await page.getByRole('button', { name: `Delete ${archive}` }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'store-session-ended',
    'user',
    async (page) => {
      await page.goto('/store');
      await page.getByRole('link', { name: archive }).waitFor();
      await page.context().clearCookies();
      await page.getByRole('link', { name: archive }).click();
      await page.getByRole('dialog').getByLabel('Username').waitFor();
    },
  ],
]);
