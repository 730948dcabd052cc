/** @module-tag full */
import type { Page } from 'playwright-core';
import { addLibraryFiles } from '../support/prepared-library.ts';
import type { StockedServer } from '../support/stocked-server.ts';
import { checkStates } from './check-states.ts';

const filled = new WeakSet<StockedServer>();

/** Adds the files to a server once, when the first state needs them. */
async function withFiles(server: StockedServer): Promise<void> {
  if (filled.has(server)) return;
  filled.add(server);
  await addLibraryFiles(server);
}

async function openFile(page: Page, server: StockedServer, state: string): Promise<void> {
  await withFiles(server);
  await page.goto(`/library?state=${state}`);
  const files = page.getByRole('cell').or(page.getByRole('listitem'));
  await files.locator('a[href*="/library/"]').first().click();
  await page.getByRole('link', { name: 'Library files' }).first().waitFor();
}

async function inGerman(page: Page, path: string): Promise<void> {
  await page.goto('/account');
  await page.getByLabel('Language').selectOption('de');
  await page.goto(path);
}

checkStates([
  ['library-signed-out', 'anonymous', (page) => page.goto('/library')],
  ['audit-forbidden', 'editor', (page) => page.goto('/audit')],
  ['dashboard-forbidden', 'user', (page) => page.goto('/dashboard')],
  ['library-not-found', 'user', (page) => page.goto('/library/999999')],
  ['library-nothing-fits', 'user', (page) => page.goto('/library?search=nothing+such')],
  [
    'library-of-all-states',
    'editor',
    async (page, { server }) => {
      await withFiles(server);
      await page.goto('/library');
    },
  ],
  [
    'library-queue',
    'editor',
    async (page, { server }) => {
      await withFiles(server);
      await page.goto('/library?state=ambiguous');
      await page
        .getByRole('button', { name: /^Choose/ })
        .first()
        .waitFor();
    },
  ],
  ['library-undecided', 'editor', (page, { server }) => openFile(page, server, 'ambiguous')],
  ['library-damaged', 'editor', (page, { server }) => openFile(page, server, 'damaged')],
  [
    'library-chosen',
    'editor',
    async (page, { server }) => {
      await openFile(page, server, 'ambiguous');
      await page
        .getByRole('button', { name: /^Choose/ })
        .first()
        .click();
      await page.getByText('An editor chose this release').waitFor();
    },
  ],
  ['library-german', 'editor', (page) => inGerman(page, '/library')],
  ['platforms-german', 'user', (page) => inGerman(page, '/platforms')],
  ['dashboard-german', 'admin', (page) => inGerman(page, '/dashboard')],
  ['audit-narrowed', 'admin', (page) => page.goto('/audit?action=user.create')],
  ['audit-nothing', 'admin', (page) => page.goto('/audit?target=release/999')],
  ['catalogue-missing', 'user', (page) => page.goto('/releases?library=missing')],
]);
