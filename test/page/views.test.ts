import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from './support/audit.ts';
import { auditWidths } from './support/audit-widths.ts';
import { closeBrowser, describeInBrowser } from './support/browser.ts';
import { addJobs } from './support/prepared-jobs.ts';
import { addLibraryFiles } from './support/prepared-library.ts';
import { openStockedServer, type StockedServer } from './support/stocked-server.ts';
import { openPage } from './support/visitors.ts';

let server: StockedServer;
beforeAll(async () => {
  server = await openStockedServer();
  await addLibraryFiles(server);
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

describeInBrowser('the library', () => {
  test('is filtered by state and navigated by arrows, and opens a file with Enter', async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/library');
    await page.getByRole('link', { name: /^All 5/ }).waitFor();
    expect(await page.getByRole('heading', { name: 'Folders' }).count()).toBe(0);
    const rows = page.getByRole('table', { name: 'Files' }).getByRole('link');
    const names = await rows.allTextContents();
    await rows.first().focus();
    for (const [key, at] of [
      ['ArrowDown', 1],
      ['ArrowDown', 2],
      ['ArrowUp', 1],
      ['End', 4],
      ['Home', 0],
    ] as const) {
      await page.keyboard.press(key);
      const focused = page.getByRole('link', { name: names[at]?.trim() ?? '' });
      await expect
        .poll(() => focused.evaluate((each) => each === document.activeElement))
        .toBe(true);
    }
    await page.getByRole('link', { name: /^Unknown/ }).click();
    await page.getByRole('link', { name: /^who-knows/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Nothing in the file matches a release').waitFor();
    expect(await page.getByRole('button', { name: /^Choose/ }).count()).toBe(0);
    expect(await page.getByLabel('Search releases').count()).toBe(0);
  });

  test('lets an editor decide an undecided file by key or click, with undo', async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/library?state=ambiguous');
    const [first, second] = [
      page.getByRole('button', { name: /^Choose Twin Peaks Racer \(Europe\) Sega - Dreamcast/ }),
      page.getByRole('button', { name: /^Choose Twin Peaks Racer/ }).nth(1),
    ];
    await first.waitFor();
    await second.waitFor();
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('2');
    await page.getByText('Nothing to decide').waitFor();
    await page.getByRole('link', { name: /^Undecided 0/ }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await first.waitFor();
    await page.getByRole('link', { name: /^Undecided 1/ }).waitFor();
    await first.click();
    await page.getByText('Twin Peaks Racer (Europe).bin: Twin Peaks Racer (Europe)').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await first.waitFor();
  });

  test('lets an editor choose among releases of the same name, and undo the choice', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/library?state=ambiguous');
    await page.getByRole('link', { name: /^Twin Peaks Racer/ }).click();
    await page.getByText('Several releases match').waitFor();
    await page
      .getByRole('button', { name: 'Choose Twin Peaks Racer (Europe), Sega - Dreamcast' })
      .click();
    await page.getByText('An editor chose this release').waitFor();
    await page.getByRole('button', { name: 'Undo choice' }).click();
    await page.getByText('Several releases match').waitFor();
  });

  test('lets an editor search for the release of an unknown file, and undo the choice', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/library?state=unknown');
    await page.getByRole('link', { name: /^who-knows/ }).click();
    await page.getByLabel('Search releases').fill('nothing of this kind');
    await page.getByText('No release matches').waitFor();
    await page.getByLabel('Search releases').fill('quartz quest');
    await page
      .getByRole('button', { name: 'Choose Quartz Quest (Europe), Sony - PlayStation' })
      .click();
    await page.getByText('An editor chose this release').waitFor();
    await page.getByRole('link', { name: 'Quartz Quest (Europe)' }).click();
    await page.getByText('matched by hand').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Undo choice' }).click();
    await page.getByText('Nothing in the file matches a release').waitFor();
  });
});

describeInBrowser('platforms', () => {
  test('are searched, sorted and filtered by ownership, and offer lists of missing releases', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/platforms');
    const names = page.getByRole('main').getByRole('heading', { level: 2 });
    await names.first().waitFor();
    const all = await names.allTextContents();
    const owned = all.length;
    expect(owned).toBeGreaterThan(2);
    await page.getByLabel('Sort').selectOption('name');
    expect(await names.allTextContents()).toEqual(all.toSorted());
    await page.getByLabel('Search platforms').fill('umd');
    await expect.poll(() => names.count()).toBe(1);
    await page.getByLabel('Only mine').check();
    await page.getByText('No platform matches').waitFor();
    await page.getByLabel('Search platforms').fill('playstation');
    await page.getByRole('link', { name: 'Sony - PlayStation', exact: true }).waitFor();
    const menu = page.getByRole('button', {
      name: 'Lists of missing releases of Sony - PlayStation',
      exact: true,
    });
    await menu.press('Enter');
    await page.keyboard.press('ArrowDown');
    const fixdat = page.getByRole('menuitem', { name: 'Missing releases as fixdat' });
    await expect.poll(() => fixdat.evaluate((item) => item === document.activeElement)).toBe(true);
    const [download] = await Promise.all([page.waitForEvent('download'), fixdat.press('Enter')]);
    expect(download.suggestedFilename()).toMatch(/\.dat$/);
    await page.getByRole('link', { name: 'Sony - PlayStation', exact: true }).click();
    await page.waitForURL(/\/releases\?platform=Sony/);
  });

  test('are navigated down and up a column by arrow keys', async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/platforms');
    const names = page.getByRole('main').getByRole('heading', { level: 2 }).getByRole('link');
    await names.first().focus();
    const boxes = await Promise.all([0, 1, 2].map((at) => names.nth(at).boundingBox()));
    expect(boxes[1]?.y).toBe(boxes[0]?.y);
    for (const [key, at] of [
      ['ArrowDown', 2],
      ['ArrowUp', 0],
    ] as const) {
      await page.keyboard.press(key);
      await expect
        .poll(() => names.nth(at).evaluate((each) => each === document.activeElement))
        .toBe(true);
    }
  });
});

describeInBrowser('downloads', () => {
  test('are listed for the user who made them, and for admins', { tags: ['full'] }, async () => {
    const { page: admin } = await openPage(server, 'admin');
    const chart = admin.getByRole('heading', { name: 'Downloads in the last 90 days' });
    await admin.goto('/dashboard');
    await admin.getByRole('heading', { name: 'Recent downloads' }).waitFor();
    expect(await chart.count()).toBe(0);
    const { page } = await openPage(server, 'user');
    await page.goto('/account');
    await page.getByText('Nothing has been downloaded yet').waitFor();
    await page.goto('/store?q=quartz');
    const link = page.getByRole('link', { name: 'Quartz Quest (Europe).zip' });
    await Promise.all([page.waitForEvent('download'), link.click()]);
    const own = page.getByRole('listitem').filter({ hasText: 'Quartz Quest (Europe).zip' });
    await expect
      .poll(async () => {
        await page.goto('/account');
        await page.getByText('Archives and library files').waitFor();
        return own.count();
      })
      .toBe(1);
    const { page: editor } = await openPage(server, 'editor');
    await editor.goto('/account');
    await editor.getByText('Nothing has been downloaded yet').waitFor();
    await admin.reload();
    await chart.waitFor();
    await admin.getByRole('rowheader', { name: 'Quartz Quest (Europe).zip' }).waitFor();
  });
});

describeInBrowser('the audit log', () => {
  test('is filtered by a form, and by links on the screens of a release and of users', {
    tags: ['full'],
  }, async () => {
    const { page: editor } = await openPage(server, 'editor');
    await editor.goto(`/releases/${server.stocked}`);
    await editor.getByRole('button', { name: 'Edit', exact: true }).click();
    await editor.getByLabel('Genre').fill('Sailing');
    await editor.getByRole('button', { name: 'Save' }).click();
    await editor.getByText('Saved').waitFor();
    expect(await editor.getByRole('link', { name: 'Audit' }).count()).toBe(0);

    const { page } = await openPage(server, 'admin');
    await page.goto('/audit');
    await page.getByLabel('Who').fill('editor');
    await page.getByLabel('Action').selectOption('Release edited');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/username=editor/);
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('link', { name: 'Show all' }).click();
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(1);

    await page.goto(`/releases/${server.stocked}`);
    await page.getByRole('main').getByRole('link', { name: 'Audit' }).click();
    await page.waitForURL(new RegExp(`target=release%2F${server.stocked}`));
    await page
      .getByRole('cell', { name: `editor edited release ${server.stocked}` })
      .first()
      .waitFor();
    expect(await auditWidths(page, 'audit-sentences')).toEqual([]);
    const { page: german } = await openPage(server, 'admin', { locale: 'de-DE' });
    await german.goto(`/audit?target=release%2F${server.stocked}`);
    await german
      .getByRole('cell', { name: `editor hat Veröffentlichung ${server.stocked} bearbeitet` })
      .first()
      .waitFor();
    await german.getByText('Felder: ').first().waitFor();
    await page.goto('/users');
    await page.getByRole('button', { name: 'Actions for editor' }).click();
    await page.getByRole('menuitem', { name: 'Audit' }).last().click();
    await page.waitForURL(/username=editor/);
  });
});

describeInBrowser('a list', () => {
  let endJobs: () => Promise<void>;
  beforeAll(async () => {
    endJobs = await addJobs(server);
  });
  afterAll(() => endJobs?.());

  test.each([
    ['/audit', 'tbody'],
    ['/users', 'tbody'],
    ['/platforms', 'main ul'],
    ['/imports', 'section:has(#history) ul'],
    ['/jobs', 'section:has(#ended) ul'],
  ])('is navigated from row to row by arrow keys: %s', { tags: ['full'] }, async (path, list) => {
    const { page } = await openPage(server, 'admin', { width: 900 });
    await page.goto(path);
    const rows = page.locator(`${list} > *`).filter({ has: page.locator('a, button, summary') });
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
    const focusedRow = () =>
      rows.evaluateAll((all) => all.findIndex((row) => row.contains(document.activeElement)));
    await rows.first().locator('a, button, summary').first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await focusedRow()).toBe(1);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp'); // there is no row above the first one
    expect(await focusedRow()).toBe(0);
  });
});
