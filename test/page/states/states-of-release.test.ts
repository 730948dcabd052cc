/** @module-tag full */
import { drawCover } from '../support/drawn-covers.ts';
import { dropOrPaste } from '../support/drop-or-paste.ts';
import { checkStates } from './check-states.ts';

checkStates([
  [
    'editing',
    'editor',
    async (page, { plain }) => {
      await page.goto(`/releases/${plain}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('form', { name: 'Editing' }).waitFor();
    },
  ],
  ['release-hostile', 'anonymous', (page, { hostile }) => page.goto(`/releases/${hostile}`)],
  ['release-unknown', 'anonymous', (page) => page.goto('/releases/999999')],
  ['release-stocked', 'editor', (page, { server }) => page.goto(`/releases/${server.stocked}`)],
  [
    'conflict',
    'editor',
    async (page, { server }) => {
      await page.goto(`/releases/${server.stocked}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Genre').fill('Mine');
      await server.catalog.releases.edit(server.stocked, { genre: 'Theirs' }, { kind: 'system' });
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
      await dropOrPaste(page, 'paste', 'body', { name: 'c.png', type: 'image/png', bytes });
      await page.getByRole('dialog').getByRole('img').waitFor();
    },
  ],
]);
