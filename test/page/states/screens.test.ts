/** @module-tag full */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit, findSmallTargets, layoutShift } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, leave, visit } from '../support/browser.ts';
import { layJobs } from '../support/prepared-jobs.ts';
import { settle } from '../support/settle.ts';
import { hangCovers, hostileNames } from '../support/shop.ts';
import { openStockedShop, type StockedShop } from '../support/stock.ts';
import { come } from '../support/visitors.ts';
import { look, type Screen } from './look.ts';
import { screensOf } from './screens-of.ts';

let shop: StockedShop;
let endJobs: () => Promise<void>;
let ids: { plain: number; hostile: number };

beforeAll(async () => {
  shop = await openStockedShop();
  ids = {
    plain: await shop.idOf('Amber Delta 0 (USA)'),
    hostile: await shop.idOf(hostileNames[0] ?? ''),
  };
  endJobs = await layJobs(shop);
  const visitor = await visit(shop.url);
  await hangCovers(shop, visitor.page, 60);
  await leave(visitor);
});
afterAll(async () => {
  await closeBrowser();
  await endJobs?.();
  await shop?.close();
});

const screens = screensOf(() => ids);

const isMain = ([name]: Screen) => ['catalogue', 'release', 'users'].includes(name);
const tagsOf = (isQuick: boolean): 'full'[] => (isQuick ? [] : ['full']);

describeInBrowser('every screen meets WCAG 2.2 AA without overflow or layout shift', () => {
  for (const screen of screens) {
    for (const width of [360, 1440]) {
      const tags = tagsOf(isMain(screen) && width === 1440);
      for (const scheme of ['light', 'dark'] as const) {
        test(`${screen[0]} at ${width} px, ${scheme}`, { tags }, () =>
          look(shop, screen, width, scheme),
        );
      }
    }
  }

  const atNarrowest = async (path: string) => {
    const { page } = await come(shop, 'nobody', { viewport: { width: 320, height: 640 } });
    await page.goto(path);
    await settle(page);
    expect(await audit(page)).toEqual([]);
  };
  test('does not scroll sideways at 320 px for a release with a hostile name', () =>
    atNarrowest(`/releases/${ids.hostile}`));
  test.each([
    '/',
    '/sign-in',
    '/users',
    '/account',
    '/devices',
    '/imports',
    '/jobs',
    '/store',
    '/library',
    '/platforms',
  ])('does not scroll sideways at 320 px on %s', { tags: ['full'] }, atNarrowest);
});

describeInBrowser('on a phone', () => {
  for (const screen of screens) {
    const [name, who, open] = screen;
    const tags = tagsOf(name === 'catalogue');
    test(`shows ${name} with controls large enough for a finger`, { tags }, async () => {
      const { page } = await come(shop, who, { width: 360, hasTouch: true, isMobile: true });
      await open(page);
      await settle(page);
      expect(await findSmallTargets(page)).toEqual([]);
    });
  }
});

describeInBrowser('the audit fails', () => {
  test('on a missing label, horizontal overflow, and an inline script', async () => {
    const visitor = await visit(shop.url);
    await visitor.page.goto('/sign-in');
    await visitor.page.getByLabel('Username').waitFor();
    expect(await audit(visitor.page)).toEqual([]);
    await visitor.page.evaluate(() => {
      document.querySelector('main label')?.remove();
      const wide = document.createElement('div');
      wide.className = 'planted';
      wide.style.width = '5000px';
      wide.textContent = 'wide';
      document.querySelector('main')?.append(wide);
      const script = document.createElement('script');
      script.textContent = 'window.wasRun = true';
      document.body.append(script);
    });
    const findings = await audit(visitor.page);
    expect(findings.some((each) => each.startsWith('label: '))).toBe(true);
    expect(findings.some((each) => each.startsWith('overflow: '))).toBe(true);
    expect(await visitor.page.evaluate(() => 'wasRun' in window)).toBe(false);
    await expect(leave(visitor)).rejects.toThrow(/script-src/);
  });

  test('on layout shift without input', async () => {
    const { page } = await come(shop, 'nobody');
    await page.goto('/sign-in');
    await settle(page);
    expect(await layoutShift(page)).toBeLessThan(0.02);
    await page.evaluate(() => {
      const late = document.createElement('div');
      late.style.height = '300px';
      document.querySelector('main')?.prepend(late);
    });
    expect(await layoutShift(page)).toBeGreaterThan(0.02);
  });
});
