import type { Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { closeBrowser, describeInBrowser, leave, visit } from './browser.ts';
import { look } from './look.ts';
import { hangCovers, hostileNames } from './shop.ts';
import { openStockedShop, type StockedShop } from './stock.ts';
import type { Who } from './visitors.ts';

interface Place {
  readonly shop: StockedShop;
  /** Ids of releases: one with all the usual, one with a hostile name. */
  readonly plain: number;
  readonly hostile: number;
}

/** A name, who looks, and how one gets there. */
type State = readonly [string, Who, (page: Page, place: Place) => Promise<unknown>];

/** Looks at states of screens on a phone, in a shop that is theirs alone. */
export function lookAtStates(states: readonly State[]): void {
  let place: Place;
  beforeAll(async () => {
    const shop = await openStockedShop();
    const plain = await shop.idOf('Amber Delta 0 (USA)');
    place = { shop, plain, hostile: await shop.idOf(hostileNames[0] ?? '') };
    const visitor = await visit(shop.url);
    await hangCovers(shop, visitor.page, 60);
    await leave(visitor);
  });
  afterAll(async () => {
    await closeBrowser();
    await place?.shop.close();
  });

  describeInBrowser('every state keeps WCAG 2.2 AA, its width, and its place', () => {
    test.each(states)('%s, for %s', async (name, who, open) => {
      await look(place.shop, [name, who, (page) => open(page, place)], 360, 'light');
    });
  });
}
