/** @module-tag full */
import type { Page } from 'playwright-core';
import { checkStates } from './check-states.ts';

async function openReport(page: Page, state: string): Promise<void> {
  await page.goto('/jobs');
  await page.getByText(state, { exact: true }).first().click();
  await page.locator('.report dl, .report p').first().waitFor();
}

checkStates([
  ['jobs-none', 'editor', (page) => page.goto('/jobs')],
  ['jobs-signed-out', 'anonymous', (page) => page.goto('/jobs')],
  ['jobs-forbidden', 'user', (page) => page.goto('/jobs')],
  [
    'jobs-failed-to-start',
    'editor',
    async (page) => {
      await page.goto('/jobs');
      await page.getByRole('button', { name: 'Download covers' }).click();
      await page.getByText('Failed', { exact: true }).first().waitFor();
      await openReport(page, 'Failed');
    },
  ],
  [
    'jobs-german',
    'admin',
    async (page) => {
      await page.goto('/account');
      await page.getByLabel('Language').selectOption('de');
      await page.goto('/jobs');
      await page.getByText('Jeden Tag').first().waitFor({ state: 'attached' });
    },
  ],
]);
