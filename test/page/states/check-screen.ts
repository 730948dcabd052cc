import { expect } from 'vitest';
import { audit, findPaleTexts, layoutShift } from '../support/audit.ts';
import { leave, picture, type Visitor } from '../support/browser.ts';
import type { TestServer } from '../support/test-server.ts';
import { openVisitor, type VisitorRole } from '../support/visitors.ts';
import { waitUntilIdle } from '../support/wait-until-idle.ts';

/** A screen: its name, the role of the visitor, and how to reach it. */
export type Screen = readonly [string, VisitorRole, (page: Visitor['page']) => Promise<unknown>];

/**
 * Opens a screen at each width, and saves screenshots. Fails on accessibility faults, horizontal
 * overflow and layout shift, and on pale texts in any of the other colour schemes.
 */
export async function checkScreen(
  server: TestServer,
  [name, role, open]: Screen,
  {
    widths = [360],
    otherSchemes = [],
  }: { widths?: readonly number[]; otherSchemes?: readonly 'dark'[] } = {},
): Promise<void> {
  const visitor = await openVisitor(server, role, {});
  const { page } = visitor;
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 500 ? 780 : 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await open(page); // reloads the page, because `layoutShift` measures from there
    await waitUntilIdle(page);
    expect.soft(await audit(page), `${width} px`).toEqual([]);
    expect.soft(await layoutShift(page), `${width} px`).toBeLessThan(0.02);
    await picture(page, `${name}-${width}-light`);
    for (const colorScheme of otherSchemes) {
      await page.emulateMedia({ colorScheme });
      await waitUntilIdle(page);
      expect.soft(await findPaleTexts(page), `${width} px, ${colorScheme}`).toEqual([]);
      await picture(page, `${name}-${width}-${colorScheme}`);
    }
  }
  await leave(visitor);
}
