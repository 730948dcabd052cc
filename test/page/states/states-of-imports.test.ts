/** @module-tag full */
import type { Page } from 'playwright-core';
import { game, xml } from '../../imports/support/dat-text.ts';
import { checkStates } from './check-states.ts';

const games = [game('A Game (Europe)', 'seed'), game('Another Game (USA)', 'other')];
const good = xml(games, 'Test - Console');
const files = [
  { name: 'Test - Console (20261122).dat', text: good },
  { name: 'a rather long name of a file that is broken.dat', text: `${good.slice(0, 150)}<<<` },
].map(({ name, text }) => ({ name, mimeType: 'text/xml', buffer: Buffer.from(text) }));

async function preview(page: Page, language: string): Promise<void> {
  await page.goto('/account');
  await page.getByLabel('Language').selectOption(language);
  await page.goto('/imports');
  const chosen = page.getByRole('main').locator('input[type=file][multiple]');
  await chosen.waitFor({ state: 'attached' });
  await chosen.setInputFiles(files);
  const preview = page.getByRole('region', { name: language === 'de' ? 'Vorschau' : 'Preview' });
  await preview.waitFor();
  // Show the preview after a reload of the page.
  await page.reload();
  await preview.waitFor();
}

checkStates([
  ['imports-signed-out', 'anonymous', (page) => page.goto('/imports')],
  ['imports-forbidden', 'user', (page) => page.goto('/imports')],
  ['imports-preview', 'editor', (page) => preview(page, 'en')],
  [
    'imports-preview-german',
    'admin',
    async (page) => {
      await preview(page, 'de');
      await page.getByText('Beispiele').first().click();
      await page.getByText('Optionen').click();
    },
  ],
]);
