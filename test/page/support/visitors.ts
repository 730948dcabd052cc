import type { BrowserContextOptions } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { leave, type Visitor, visit } from './browser.ts';
import { passwordOf, type Shop } from './shop.ts';

type Served = Pick<Shop, 'url'>;

export type Who = 'nobody' | 'user' | 'editor' | 'admin';

type Kept = Exclude<BrowserContextOptions['storageState'], string | undefined>;
const signedIn = new WeakMap<Served, Map<Who, Promise<Kept>>>();

/**
 * Opens a visitor with this role for the duration of the test. The test fails if a fault was
 * recorded in the browser, or if a dialog opened. Visitors with the same role share one session.
 * Tests of signing out sign in with the form instead.
 */
export async function come(
  shop: Served,
  who: Who,
  { width = 1440, ...options }: BrowserContextOptions & { readonly width?: number } = {},
): Promise<Visitor> {
  const visitor = await arrive(shop, who, {
    viewport: { width, height: width < 500 ? 780 : 900 },
    ...options,
  });
  onTestFinished(() => leave(visitor));
  return visitor;
}

/** Opens a visitor like `come`. The caller must close the visitor. */
export async function arrive(
  shop: Served,
  who: Who,
  options: BrowserContextOptions,
): Promise<Visitor> {
  const storageState = who === 'nobody' ? undefined : await stateOf(shop, who);
  const visitor = await visit(shop.url, { ...options, ...(storageState && { storageState }) });
  visitor.page.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') visitor.faults.push(`a name ran: ${dialog.message()}`);
    void dialog.accept();
  });
  return visitor;
}

function stateOf(shop: Served, who: Exclude<Who, 'nobody'>): Promise<Kept> {
  const ofShop = signedIn.get(shop) ?? new Map<Who, Promise<Kept>>();
  signedIn.set(shop, ofShop);
  const known = ofShop.get(who) ?? signInOnce(shop, who);
  ofShop.set(who, known);
  return known;
}

async function signInOnce(shop: Served, who: Exclude<Who, 'nobody'>): Promise<Kept> {
  const visitor = await visit(shop.url);
  const data = { username: who, password: passwordOf(who), cookie: true };
  const response = await visitor.context.request.post('/api/auth/login', { data });
  if (!response.ok()) throw new Error(`${who} is not signed in: ${response.status()}`);
  const state = await visitor.context.storageState();
  await leave(visitor);
  return state;
}
