import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { testFirstOfEach } from '../../support/first-of-each.ts';
import { audit } from '../support/audit.ts';
import { auditWidths } from '../support/audit-widths.ts';
import { closeBrowser, describeInBrowser, picture } from '../support/browser.ts';
import { onePixel } from '../support/one-pixel.ts';
import { addLibraryFiles } from '../support/prepared-library.ts';
import { openStockedServer, type StockedServer } from '../support/stocked-server.ts';
import { openTestServer, signIn } from '../support/test-server.ts';
import { openPage } from '../support/visitors.ts';
import { waitUntilIdle } from '../support/wait-until-idle.ts';

let server: StockedServer;
beforeAll(async () => {
  server = await openStockedServer();
  await addLibraryFiles(server);
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

const owned = (page: Page, name = 'Releases') =>
  page.getByRole('list', { name, exact: true }).getByRole('listitem');

describeInBrowser('the collection', () => {
  test('is the start page of a user, and leads to the download of an owned release', async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: 'Collection' }).waitFor();
    const recent = page.getByRole('list', { name: 'Recently added' });
    await recent.getByText('Owned, verified').first().waitFor();
    await page.getByRole('link', { name: /Sony - PlayStation 1 of 61 owned/ }).waitFor();
    await owned(page)
      .getByRole('link', { name: /^Quartz Quest/ })
      .click();
    await page.getByText('In your library, verified').waitFor();
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^qq-backup.iso/ }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('qq-backup.iso');
    expect(await readFile(await file.path(), 'utf8')).toBe('content');
    await page.getByRole('link', { name: 'Collection' }).first().click();
    await owned(page).first().waitFor();
  });

  test('offers the downloads of an owned release in a menu that works by keyboard', async () => {
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases/${server.stocked}`);
    const button = page.getByRole('button', { name: 'Download', exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    const focused = (name: RegExp) =>
      expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent ?? ''))
        .toMatch(name);
    await focused(/qq-backup\.iso/);
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    await focused(/Quartz Quest \(Europe\)\.zip/);
    await page.keyboard.press('Home');
    await focused(/qq-backup\.iso/);
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await focused(/^\s*Download/);
    expect(await page.getByRole('menu').count()).toBe(0);
    for (const isOpen of [true, false]) {
      await button.click();
      await expect.poll(() => page.getByRole('menu').count()).toBe(isOpen ? 1 : 0);
      expect(await button.getAttribute('aria-expanded')).toBe(String(isOpen));
    }
  });

  test('shows editors the number of undecided files, as a link to them', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/');
    await page.getByRole('link', { name: '1 undecided file' }).click();
    await page.waitForURL(/\/library\?state=ambiguous/);
  });

  test('is replaced by the list of all releases for a search or an anonymous user', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/?search=quartz');
    await page.waitForURL(/\/releases\?search=quartz/);
    await page.getByText('Owned, verified').first().waitFor();
    const { page: other } = await openPage(server, 'anonymous');
    await other.goto('/');
    await other.getByRole('heading', { level: 1, name: 'All releases' }).waitFor();
    expect(await other.getByRole('link', { name: 'Collection' }).count()).toBe(0);
    expect(await other.getByText('Missing', { exact: true }).count()).toBe(0);
    await signIn(other, 'user');
    await other.goto('/sign-in');
    await other.getByRole('link', { name: 'Collection' }).click();
    await other.getByRole('button', { name: 'user', exact: true }).click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { level: 1, name: 'All releases' }).waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'fits each width in the %s colour scheme',
    { tags: ['full'] },
    async (colorScheme) => {
      const { page } = await openPage(server, 'admin', { colorScheme });
      for (const width of [320, 360, 600, 601, 768, 1024, 1440, 2560]) {
        await page.setViewportSize({ width, height: width < 500 ? 780 : 900 });
        await page.goto('/');
        await owned(page).first().waitFor();
        await waitUntilIdle(page);
        expect.soft(await audit(page), `${width} px`).toEqual([]);
        await picture(page, `collection-${width}-${colorScheme}`);
        const search = await page.getByRole('searchbox').boundingBox();
        if (width >= 768) expect.soft(search?.width).toBeGreaterThanOrEqual(320);
        const bar = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
        expect.soft((bar?.y ?? 0) > 300, `${width} px`).toBe(width <= 600);
      }
    },
  );
});

describeInBrowser('a long row of recently added releases', () => {
  test('scrolls in itself and does not widen a narrow window', { tags: ['full'] }, async () => {
    const own = await openStockedServer();
    onTestFinished(() => own.close());
    const [root] = own.catalog.libraryRoots;
    const names = Array.from({ length: 12 }, (_, at) => `Row ${at} (Europe)`);
    await importGames(own, names, 'Sega - Saturn');
    for (const name of names) await writeFile(join(root?.path ?? '', `${name}.iso`), name);
    await own.catalog.library.list({ refresh: true });
    const { page } = await openPage(own, 'user', { width: 360 });
    await page.goto('/');
    const row = page.getByRole('list', { name: 'Recently added' }).getByRole('listitem');
    await expect.poll(() => row.count()).toBeGreaterThan(8);
    expect(await audit(page)).toEqual([]);
  });
});

describeInBrowser('the collection in German', () => {
  test('fits each width', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'admin', { locale: 'de-DE' });
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: width < 500 ? 780 : 900 });
      await page.goto('/');
      await page.getByRole('heading', { level: 1, name: 'Sammlung' }).waitFor();
      await owned(page, 'Veröffentlichungen').first().waitFor();
      await waitUntilIdle(page);
      expect.soft(await audit(page), `${width} px`).toEqual([]);
      await picture(page, `collection-german-${width}-light`);
      await page.getByRole('button', { name: 'Verwaltung' }).click();
      await page.getByRole('link', { name: 'Aufträge' }).waitFor();
      expect.soft(await audit(page), `${width} px`).toEqual([]);
      await page.goto(`/releases/${server.stocked}`);
      await page.getByRole('button', { name: 'Herunterladen', exact: true }).click();
      await page.getByRole('menuitem').first().waitFor();
      expect.soft(await audit(page), `${width} px`).toEqual([]);
      await picture(page, `release-german-${width}-light`);
    }
  });
});

describeInBrowser('covers of owned releases', () => {
  testFirstOfEach([
    ['en-GB', 'Download covers for what I own', 'Downloaded 1 cover for 1 release.'],
    ['de-DE', 'Cover für alles Vorhandene laden', '1 Cover für 1 Veröffentlichung geladen.'],
  ])(
    'are downloaded with one click, without covers of other releases (%s)',
    async (locale, button, done) => {
      const requested: string[] = [];
      const source = createServer(({ url }, response) => {
        requested.push(decodeURIComponent(url ?? ''));
        response.writeHead(200, { 'content-type': 'image/png' }).end(onePixel);
      });
      await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void source.close());
      const { port } = source.address() as AddressInfo;
      const own = await openStockedServer({ 'cover-source': `http://127.0.0.1:${port}` });
      onTestFinished(() => own.close());
      const { page } = await openPage(own, 'editor', { locale });
      await page.goto('/');
      await page.getByRole('button', { name: button }).waitFor();
      await waitUntilIdle(page);
      await page.getByRole('button', { name: button }).click();
      await page.getByText(done).waitFor();
      await page.locator('main img').first().waitFor();
      expect(requested.length).toBeGreaterThan(0);
      for (const each of requested) expect(each).toMatch(/Quartz|Quest/);
      expect(await auditWidths(page, `collection-covers-${locale}`)).toEqual([]);
      const { page: user } = await openPage(own, 'user', { locale });
      await user.goto('/');
      await user.getByRole('list').first().waitFor();
      await waitUntilIdle(user);
      expect(await user.getByRole('button', { name: button }).count()).toBe(0);
    },
  );

  test('are not downloaded without a source, and a text says so', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/');
    await page.getByRole('button', { name: 'Download covers for what I own' }).click();
    await page.getByText('No source of covers is set up').waitFor();
  });
});

describeInBrowser('a user without a collection', () => {
  test('starts at the list of all releases, and sees that the collection is empty', {
    tags: ['full'],
  }, async () => {
    const empty = await openTestServer();
    try {
      const { page } = await openPage(empty, 'user');
      await page.goto('/');
      await page.getByRole('heading', { level: 1, name: 'All releases' }).waitFor();
      await page.getByRole('link', { name: 'Collection' }).click();
      await page.getByText('No owned releases yet').waitFor();
      expect(await audit(page)).toEqual([]);
    } finally {
      await empty.close();
    }
  });
});
