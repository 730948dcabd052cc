import type { Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { closeBrowser, describeInBrowser, leave, visit } from '../support/browser.ts';
import { hangCovers, hostileNames } from '../support/shop.ts';
import { openStockedShop, type StockedShop } from '../support/stock.ts';
import type { Who } from '../support/visitors.ts';
import { look } from './look.ts';

interface Place {
  readonly shop: StockedShop;
  /** Ids of two releases: an ordinary one, and one with a hostile name. */
  readonly plain: number;
  readonly hostile: number;
}

/** A state: its name, the role of the visitor, and how to reach it. */
type State = readonly [string, Who, (page: Page, place: Place) => Promise<unknown>];

/** Defines tests that check states of screens on a phone, in a separate shop. */
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

  describeInBrowser('every state', () => {
    test.each(states)(
      'meets WCAG 2.2 AA without overflow or layout shift: %s, for %s',
      async (name, who, open) => {
        await look(place.shop, [name, who, (page) => open(page, place)]);
      },
    );
  });
}
