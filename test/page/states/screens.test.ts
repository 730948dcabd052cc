/** @module-tag full */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit, findOverflow, findSmallTargets, layoutShift } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, leave, visit } from '../support/browser.ts';
import { openPage } from '../support/visitors.ts';
import { waitUntilIdle } from '../support/wait-until-idle.ts';
import { checkScreen } from './check-screen.ts';
import { openScreensServer, type ScreensServer, screensOf } from './screens-of.ts';

let server: ScreensServer;
beforeAll(async () => {
  server = await openScreensServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

const screens = screensOf(() => server.ids);

const roles = ['anonymous', 'user', 'editor', 'admin'] as const;

describeInBrowser('every screen', () => {
  test.each(screens)(
    'meets WCAG 2.2 AA without overflow, layout shift or pale text in dark colours: %s',
    async (...screen) => {
      await checkScreen(server, screen, { widths: [360, 1440], otherSchemes: ['dark'] });
    },
  );

  test('does not scroll sideways at 320 px for a release with a hostile name', async () => {
    const { page } = await openPage(server, 'anonymous', { viewport: { width: 320, height: 640 } });
    await page.goto(`/releases/${server.ids.hostile}`);
    await waitUntilIdle(page);
    expect(await findOverflow(page)).toEqual([]);
  });
});

describeInBrowser('every screen on a phone', () => {
  test.each(roles)('has controls large enough for a finger, for the role %s', async (role) => {
    const { page } = await openPage(server, role, { width: 360, hasTouch: true, isMobile: true });
    for (const [name, screenRole, open] of screens) {
      if (screenRole !== role) continue;
      await open(page);
      await waitUntilIdle(page);
      expect.soft(await findSmallTargets(page), name).toEqual([]);
    }
  });
});

describeInBrowser('the check of a screen', () => {
  test('fails on a missing label, horizontal overflow, and an inline script', async () => {
    const visitor = await visit(server.url);
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

  test('fails on layout shift without input', async () => {
    const { page } = await openPage(server, 'anonymous');
    await page.goto('/sign-in');
    await waitUntilIdle(page);
    expect(await layoutShift(page)).toBeLessThan(0.02);
    await page.evaluate(() => {
      const late = document.createElement('div');
      late.style.height = '300px';
      document.querySelector('main')?.prepend(late);
    });
    expect(await layoutShift(page)).toBeGreaterThan(0.02);
  });
});
