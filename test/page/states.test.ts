import { afterAll, beforeAll, describe, test } from 'vitest';
import { closeBrowser, leave, skipsBrowser, visit } from './browser.ts';
import { drawCover } from './drawn-covers.ts';
import { handOver } from './handed-files.ts';
import { look, type Screen } from './look.ts';
import { hangCovers, hostileNames } from './shop.ts';
import { openStockedShop, type StockedShop } from './stock.ts';

let shop: StockedShop;
let ids: { plain: number; hostile: number };

beforeAll(async () => {
  if (skipsBrowser) return;
  shop = await openStockedShop();
  ids = {
    plain: await shop.idOf('Amber Delta 0 (USA)'),
    hostile: await shop.idOf(hostileNames[0] ?? ''),
  };
  const visitor = await visit(shop.url);
  await hangCovers(shop, visitor.page, 60);
  await leave(visitor);
});
afterAll(async () => {
  await closeBrowser();
  await shop?.close();
});

/** The states of the screens, looked at on a phone. */
const states: readonly Screen[] = [
  [
    'table',
    'nobody',
    async (page) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Table' }).click();
    },
  ],
  ['nothing-found', 'nobody', (page) => page.goto('/?search=nothinglikethis')],
  [
    'narrowed',
    'nobody',
    (page) => page.goto('/?search=amber&region=USA&platform=Sony+-+PlayStation+Portable'),
  ],
  [
    'picking',
    'editor',
    async (page) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Select' }).click();
      await page.getByRole('listitem').nth(1).getByRole('link').click();
      await page.getByText('1 selected').waitFor();
    },
  ],
  [
    'set-a-field',
    'editor',
    async (page) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Select' }).click();
      await page.getByRole('listitem').nth(1).getByRole('link').click();
      await page.getByRole('button', { name: 'Set a field' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'editing',
    'editor',
    async (page) => {
      await page.goto(`/releases/${ids.plain}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByRole('form', { name: 'Editing' }).waitFor();
    },
  ],
  ['release-hostile', 'nobody', (page) => page.goto(`/releases/${ids.hostile}`)],
  ['release-unknown', 'nobody', (page) => page.goto('/releases/999999')],
  ['not-found', 'nobody', (page) => page.goto('/nowhere/at/all')],
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
    'keys',
    'nobody',
    async (page) => {
      await page.goto('/');
      await page.getByRole('list', { name: 'Releases' }).waitFor();
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  ],
  ['release-stocked', 'editor', (page) => page.goto(`/releases/${shop.stocked}`)],
  [
    'conflict',
    'editor',
    async (page) => {
      await page.goto(`/releases/${shop.stocked}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Genre').fill('Mine');
      await shop.catalog.releases.edit(shop.stocked, { genre: 'Theirs' }, { kind: 'system' });
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Somebody else changed').waitFor();
    },
  ],
  [
    'discard',
    'editor',
    async (page) => {
      await page.goto(`/releases/${ids.plain}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Genre').fill('Mine');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'cover-preview',
    'editor',
    async (page) => {
      await page.goto(`/releases/${ids.plain}`);
      await page.getByRole('group', { name: 'Cover' }).waitFor();
      const bytes = await drawCover(page, { type: 'png', width: 298, height: 512, seed: 8 });
      await handOver(page, 'paste', 'body', { name: 'c.png', type: 'image/png', bytes });
      await page.getByRole('dialog').getByRole('img').waitFor();
    },
  ],
  [
    'failed',
    'nobody',
    async (page) => {
      await page.route('**/api/releases?*', (route) =>
        route.fulfill({ status: 500, json: { detail: 'internal error' } }),
      );
      await page.goto('/');
      await page.getByText('The server failed').waitFor();
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
];

describe.skipIf(skipsBrowser)('every state keeps WCAG 2.2 AA, its width, and its place', () => {
  test.each(states)('%s, for %s', async (...state) => {
    await look(shop, state, 360, 'light');
  });
});
