import { expect } from 'vitest';
import { audit, layoutShift } from '../support/audit.ts';
import { leave, picture, type Visitor } from '../support/browser.ts';
import { settle } from '../support/settle.ts';
import type { Shop } from '../support/shop.ts';
import { arrive, type Who } from '../support/visitors.ts';

/** A screen: its name, the role of the visitor, and how to reach it. */
export type Screen = readonly [string, Who, (page: Visitor['page']) => Promise<unknown>];

/**
 * Opens a screen at each width and in each colour scheme, and saves screenshots. Fails on
 * accessibility faults, horizontal overflow and layout shift.
 */
export async function look(
  shop: Shop,
  [name, who, open]: Screen,
  {
    widths = [360],
    colorSchemes = ['light'],
  }: { widths?: readonly number[]; colorSchemes?: readonly ('light' | 'dark')[] } = {},
): Promise<void> {
  const visitor = await arrive(shop, who, {});
  const { page } = visitor;
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 500 ? 780 : 900 });
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      await open(page); // loads the page again, because layout shift is measured from there
      await settle(page);
      const findings = await audit(page);
      const shift = await layoutShift(page);
      await picture(page, `${name}-${width}-${colorScheme}`);
      expect.soft(findings, `${width} px, ${colorScheme}`).toEqual([]);
      expect.soft(shift, `${width} px, ${colorScheme}`).toBeLessThan(0.02);
    }
  }
  await leave(visitor);
}
