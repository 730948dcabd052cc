import type { Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { closeBrowser, describeInBrowser, leave, visit } from '../support/browser.ts';
import { openStockedServer, type StockedServer } from '../support/stocked-server.ts';
import { hostileNames, storeCovers } from '../support/test-server.ts';
import type { VisitorRole } from '../support/visitors.ts';
import { checkScreen } from './check-screen.ts';

interface Place {
  readonly server: StockedServer;
  /** Ids of two releases: an ordinary one, and one with a hostile name. */
  readonly plain: number;
  readonly hostile: number;
}

/** A state: its name, the role of the visitor, and how to reach it. */
type State = readonly [string, VisitorRole, (page: Page, place: Place) => Promise<unknown>];

/** Defines tests that check states of screens on a phone, in a separate server. */
export function checkStates(states: readonly State[]): void {
  let place: Place;
  beforeAll(async () => {
    const server = await openStockedServer();
    const plain = await server.idOf('Amber Delta 0 (USA)');
    place = { server, plain, hostile: await server.idOf(hostileNames[0] ?? '') };
    const visitor = await visit(server.url);
    await storeCovers(server, visitor.page, 60);
    await leave(visitor);
  });
  afterAll(async () => {
    await closeBrowser();
    await place?.server.close();
  });

  describeInBrowser('every state of a screen', () => {
    test.each(states)(
      'meets WCAG 2.2 AA without overflow or layout shift: %s, for %s',
      async (name, role, open) => {
        await checkScreen(place.server, [name, role, (page) => open(page, place)]);
      },
    );
  });
}
