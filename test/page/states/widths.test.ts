/** @module-tag full */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findClippedTexts, findOverflow } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from '../support/browser.ts';
import { openPage } from '../support/visitors.ts';
import { waitUntilIdle } from '../support/wait-until-idle.ts';
import { openScreensServer, type ScreensServer, screensOf } from './screens-of.ts';

const widths = [320, 360, 768, 1024, 1440, 2560] as const;

let server: ScreensServer;
beforeAll(async () => {
  server = await openScreensServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

const screens = screensOf(() => server.ids);

describeInBrowser('every screen', () => {
  for (const [name, role, open] of screens) {
    for (const [language, locale] of [
      ['English', 'en-GB'],
      ['German', 'de-DE'],
    ] as const) {
      test(`has no clipped text or overflow at any width: ${name} in ${language}`, async () => {
        const { page } = await openPage(server, role, { locale });
        await open(page);
        for (const width of widths) {
          await page.setViewportSize({ width, height: width < 500 ? 780 : 900 });
          await waitUntilIdle(page);
          await picture(page, `width-${name}-${locale.slice(0, 2)}-${width}`);
          const faults = [...(await findOverflow(page)), ...(await findClippedTexts(page))];
          expect.soft(faults, `${width} px`).toEqual([]);
        }
      });
    }
  }

  test('is reported if one of its texts is clipped', async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/sign-in');
    await waitUntilIdle(page);
    expect(await findClippedTexts(page)).toEqual([]);
    await page.evaluate(() => {
      for (const heading of document.querySelectorAll('h1')) {
        heading.style.cssText = 'width: 12px; overflow: hidden; white-space: nowrap';
      }
    });
    expect(await findClippedTexts(page)).toHaveLength(1);
  });
});
