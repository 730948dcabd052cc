import { expect } from 'vitest';
import { audit, layoutShift } from '../support/audit.ts';
import { leave, picture, type Visitor } from '../support/browser.ts';
import { settle } from '../support/settle.ts';
import type { Shop } from '../support/shop.ts';
import { arrive, type Who } from '../support/visitors.ts';

/** A screen: its name, the role of the visitor, and how to reach it. */
export type Screen = readonly [string, Who, (page: Visitor['page']) => Promise<unknown>];

/**
 * Opens a screen and saves a screenshot. Fails on accessibility faults, horizontal overflow and
 * layout shift.
 */
export async function look(
  shop: Shop,
  [name, who, open]: Screen,
  width: number,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const viewport = { width, height: width < 500 ? 780 : 900 };
  const visitor = await arrive(shop, who, { viewport, colorScheme });
  const { page } = visitor;
  await open(page);
  await settle(page);
  const findings = await audit(page);
  const shift = await layoutShift(page);
  await picture(page, `${name}-${width}-${colorScheme}`);
  await leave(visitor);
  expect(findings).toEqual([]);
  expect(shift).toBeLessThan(0.02);
}
