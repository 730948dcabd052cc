import { leave, visit } from '../support/browser.ts';
import { layJobs } from '../support/prepared-jobs.ts';
import { saveSet } from '../support/saved-sets.ts';
import { hangCovers, hostileNames, type Shop } from '../support/shop.ts';
import { openStockedShop, type StockedShop } from '../support/stock.ts';
import type { Screen } from './look.ts';

/** A shop with content for every screen. */
export interface ScreensShop extends StockedShop {
  /** Ids of an ordinary release, of one with a hostile name, and of a set. */
  readonly ids: { readonly plain: number; readonly hostile: number; readonly set: number };
}

/** Opens a shop with content for every screen. */
export async function openScreensShop(): Promise<ScreensShop> {
  const shop = await openStockedShop();
  const ids = {
    plain: await shop.idOf('Amber Delta 0 (USA)'),
    hostile: await shop.idOf(hostileNames[0] ?? ''),
    set: await saveSets(shop),
  };
  const endJobs = await layJobs(shop);
  const visitor = await visit(shop.url);
  await hangCovers(shop, visitor.page, 60);
  await leave(visitor);
  const { close } = shop;
  return Object.assign(shop, {
    ids,
    async close() {
      await endJobs();
      await close();
    },
  });
}

/** Saves a set with a long rule, which it returns, and two shared ones. */
async function saveSets(shop: Shop): Promise<number> {
  await saveSet(shop, 'editor', {
    name: 'All discs',
    rule: { field: 'platform', is: 'Sony - PlayStation' },
    shared: true,
  });
  await saveSet(shop, 'admin', {
    name: 'A-set-whose-name-is-one-word-and-far-too-long-for-the-side-of-a-narrow-window',
    rule: { field: 'library', is: 'missing' },
    shared: true,
  });
  return saveSet(shop, 'editor', {
    name: 'PlayStation of Europe without sports',
    rule: {
      all: [
        { field: 'platform', in: ['Sony - PlayStation Portable', 'Sony - PlayStation'] },
        {
          any: [
            { field: 'region', is: 'Europe' },
            { field: 'search', contains: 'racing' },
          ],
        },
        { not: { field: 'genre', contains: 'sports' } },
        { not: { field: 'year', from: 2030, to: 2040 } },
      ],
    },
    prefer: { regions: ['Europe', 'World'], languages: ['En'], avoid: ['Demo', 'Beta'] },
  });
}

/**
 * Returns every screen, each with the role of the visitor. `findIds` is called when a screen is
 * opened.
 */
export function screensOf(findIds: () => ScreensShop['ids']): readonly Screen[] {
  return [
    ['collection', 'admin', (page) => page.goto('/')],
    ['catalogue', 'nobody', (page) => page.goto('/releases')],
    ['release', 'editor', (page) => page.goto(`/releases/${findIds().plain}`)],
    ['set', 'editor', (page) => page.goto(`/releases?set=${findIds().set}`)],
    ['set-edit', 'editor', (page) => page.goto(`/sets/${findIds().set}`)],
    ['set-new', 'editor', (page) => page.goto('/sets/new')],
    ['sign-in', 'nobody', (page) => page.goto('/sign-in')],
    ['account', 'user', (page) => page.goto('/account')],
    ['devices', 'user', (page) => page.goto('/devices')],
    ['users', 'admin', (page) => page.goto('/users')],
    ['imports', 'editor', (page) => page.goto('/imports')],
    ['store', 'editor', (page) => page.goto('/store')],
    ['library', 'editor', (page) => page.goto('/library')],
    [
      'builds',
      'editor',
      async (page) => {
        const data = { name: 'All', rule: { all: [] } };
        await page.context().request.post('/api/sets', { data });
        await page.goto('/builds');
        await page.getByText(/^(Not connected|Nicht angeschlossen)/).waitFor();
      },
    ],
    ['library-file', 'editor', (page) => page.goto('/library/1')],
    ['platforms', 'user', (page) => page.goto('/platforms')],
    ['dashboard', 'admin', (page) => page.goto('/dashboard')],
    ['audit', 'admin', (page) => page.goto('/audit')],
    [
      'jobs',
      'admin',
      async (page) => {
        await page.goto('/jobs');
        await page
          .getByText(/^(Done|Fertig)$/)
          .last()
          .click();
        await page.getByText(/^(Checksums calculated|Prüfsummen berechnet)/).waitFor();
      },
    ],
  ];
}
