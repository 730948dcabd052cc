/** @module-tag full */
import { checkStates } from './check-states.ts';

checkStates([
  [
    'table',
    'anonymous',
    async (page) => {
      await page.goto('/releases');
      await page.getByRole('button', { name: 'Table' }).click();
    },
  ],
  ['nothing-found', 'anonymous', (page) => page.goto('/releases?search=nothinglikethis')],
  [
    'narrowed',
    'anonymous',
    (page) => page.goto('/releases?search=amber&region=USA&platform=Sony+-+PlayStation+Portable'),
  ],
  [
    'filter-menu',
    'user',
    async (page) => {
      await page.goto('/releases?platform=Sony+-+PlayStation%7CSony+-+PlayStation+Portable');
      await page.getByRole('button', { name: 'Filters', exact: true }).click();
      await page.getByRole('button', { name: /^Platform/ }).click();
      await page.getByRole('listbox').getByRole('option').first().waitFor();
    },
  ],
  [
    'picking',
    'editor',
    async (page) => {
      await page.goto('/releases');
      await page.getByRole('button', { name: 'Select' }).click();
      await page.getByRole('listitem').nth(1).getByRole('link').click();
      await page.getByText('1 selected').waitFor();
    },
  ],
  [
    'set-a-field',
    'editor',
    async (page) => {
      await page.goto('/releases');
      await page.getByRole('button', { name: 'Select' }).click();
      await page.getByRole('listitem').nth(1).getByRole('link').click();
      await page.getByRole('button', { name: 'Edit field' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'keys',
    'anonymous',
    async (page) => {
      await page.goto('/releases');
      await page.getByRole('list', { name: 'Releases' }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'failed',
    'anonymous',
    async (page) => {
      await page.route('**/api/releases?*', (route) =>
        route.fulfill({ status: 500, json: { detail: 'internal error' } }),
      );
      await page.goto('/releases');
      await page.getByText('The server reported an error').waitFor();
    },
  ],
  ['not-found', 'anonymous', (page) => page.goto('/nowhere/at/all')],
]);
