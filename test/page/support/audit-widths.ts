import type { Page } from 'playwright-core';
import { audit, findOverflow } from './audit.ts';
import { picture } from './browser.ts';

/**
 * Returns the faults of a page in windows 320, 768 and 1440 px wide: overflow in each of them, and
 * violations of WCAG in the narrowest, because they rarely depend on the width. Saves a screenshot
 * of each width.
 */
export async function auditWidths(page: Page, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    faults.push(...(width === 320 ? await audit(page) : await findOverflow(page)));
    await picture(page, `${name}-${width}`);
  }
  return faults;
}
