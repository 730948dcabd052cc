/** @module-tag full */
import { drawCover } from '../support/drawn-covers.ts';
import { handOver } from '../support/handed-files.ts';
import { lookAtStates } from './look-at-states.ts';

lookAtStates([
  [
    'editing',
    'editor',
    async (page, { plain }) => {
      await page.goto(`/releases/${plain}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('form', { name: 'Editing' }).waitFor();
    },
  ],
  ['release-hostile', 'nobody', (page, { hostile }) => page.goto(`/releases/${hostile}`)],
  ['release-unknown', 'nobody', (page) => page.goto('/releases/999999')],
  ['release-stocked', 'editor', (page, { shop }) => page.goto(`/releases/${shop.stocked}`)],
  [
    'conflict',
    'editor',
    async (page, { shop }) => {
      await page.goto(`/releases/${shop.stocked}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Genre').fill('Mine');
      await shop.catalog.releases.edit(shop.stocked, { genre: 'Theirs' }, { kind: 'system' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Someone else has changed').waitFor();
    },
  ],
  [
    'discard',
    'editor',
    async (page, { plain }) => {
      await page.goto(`/releases/${plain}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Genre').fill('Mine');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'cover-preview',
    'editor',
    async (page, { plain }) => {
      await page.goto(`/releases/${plain}`);
      await page.getByRole('group', { name: 'Cover' }).waitFor();
      const bytes = await drawCover(page, { type: 'png', width: 298, height: 512, seed: 8 });
      await handOver(page, 'paste', 'body', { name: 'c.png', type: 'image/png', bytes });
      await page.getByRole('dialog').getByRole('img').waitFor();
    },
  ],
]);
