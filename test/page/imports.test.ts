import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { game, xml } from '../imports/support/dat-text.ts';
import { zipOf } from '../imports/support/zip-file.ts';
import { openAdminScreen } from './support/admin-menu.ts';
import { audit } from './support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from './support/browser.ts';
import { openTestServer, type TestServer } from './support/test-server.ts';
import { openPage } from './support/visitors.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-dats-'));
  server = await openTestServer();
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
  await rm(folder, { recursive: true });
});

async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const choose = (page: Page, ...paths: string[]) =>
  page.getByRole('main').locator('input[type=file][multiple]').setInputFiles(paths);
const dat = (seeds: readonly string[], platform: string, version = '1') =>
  xml(
    seeds.map((seed) => game(`Game ${seed}`, seed)),
    platform,
    version,
  );

describeInBrowser('the screen of imports', () => {
  test('keeps a preview after leaving and reloading the screen, and imports it later', async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/releases');
    await openAdminScreen(page, 'Imports');
    const zip = zipOf([
      { name: 'inner.dat', content: dat(['three'], 'Test - Third') },
      { name: 'read me.txt', content: 'no DAT' },
    ]);
    const fetching = page.getByRole('button', { name: 'Get the libretro catalogue' });
    expect(await fetching.count()).toBe(0); // this server has no source
    await choose(
      page,
      await fileOf('first.dat', dat(['one', 'two'], 'Test - First')),
      await fileOf('broken.dat', `${dat(['x'], 'Test - Broken').slice(0, 150)}<<<`),
      await fileOf('more.zip', zip),
    );
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('3 files, 1 refused').waitFor();
    await picture(page, 'imports-preview-1440');
    await preview.getByText(/Refused: line \d+: /).waitFor();
    await preview.getByText('more.zip:inner.dat').waitFor();
    const first = preview.getByRole('row').filter({ hasText: 'first.dat' });
    expect(await preview.getByRole('columnheader').allTextContents()).toEqual(['File', 'New']);
    expect(await first.getByRole('cell').allTextContents()).toEqual([expect.stringMatching(/ 2$/)]);
    const broken = preview.getByRole('row').filter({ hasText: 'broken.dat' });
    await broken.getByText('This file is').waitFor();
    await broken.getByText('Technical detail').click();
    await broken.locator('code').waitFor();
    await first.getByText('Examples').click();
    await first.getByText('Game one').waitFor();
    expect(
      (await server.catalog.imports.listImports(50, 0)).map(({ platform }) => platform),
    ).not.toContain('Test - First');

    await page.getByRole('link', { name: 'All releases' }).click();
    // A screen moves the focus to its heading, which closes an open menu.
    await page.locator('h1:focus', { hasNotText: 'Imports' }).waitFor();
    await openAdminScreen(page, 'Imports');
    await preview.getByText('3 files, 1 refused').waitFor();
    await page.reload();
    await preview.getByRole('button', { name: 'Import', exact: true }).click();
    const result = page.getByRole('region', { name: 'Imported' });
    await result.getByText('3 files, 1 refused').waitFor();
    await picture(page, 'imports-result-1440');
    await preview.waitFor({ state: 'detached' });
    const history = page.getByRole('region', { name: 'History' });
    const entry = history.getByRole('listitem').filter({ hasText: 'Test - First' });
    await entry.getByText('2 new').waitFor();
    await entry.getByText('Test - First').click();
    await entry.getByText('first.dat · 1').waitFor();
    await result.getByRole('button', { name: 'Done' }).click();
    await result.waitFor({ state: 'detached' });
    await page.reload();
    await history.getByText('Test - First').waitFor();
    expect(await preview.count()).toBe(0);
  });

  test.each([
    ['en-GB', 'Preview', 'Import', /^Refused: line \d+: This file is not a valid DAT\.$/],
    [
      'de-DE',
      'Vorschau',
      'Importieren',
      /^Abgelehnt: Zeile \d+: Diese Datei ist keine gültige DAT\.$/,
    ],
  ])(
    'shows a long preview with its button in view, at any width (%s)',
    { tags: ['full'] },
    async (locale, title, accept, why) => {
      const { page } = await openPage(server, 'admin', { locale });
      await page.goto('/imports');
      await page.locator('.drop').waitFor();
      const many = Array.from({ length: 14 }, (_, at) =>
        fileOf(`${locale}-${at}.dat`, dat([`${locale} ${at}`], `Test - A Rather Long Name ${at}`)),
      );
      const broken = fileOf(`${locale}-broken.dat`, `${dat(['x'], 'Test - Broken')}<<<`);
      await choose(page, ...(await Promise.all([...many, broken])));
      const preview = page.getByRole('region', { name: title });
      await preview.getByText(why).waitFor();
      const button = preview.getByRole('button', { name: accept, exact: true });
      for (const width of [320, 768, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(() => scrollTo({ top: 0 }));
        await preview.getByRole('rowheader').nth(3).scrollIntoViewIfNeeded();
        expect(await button.evaluate((each) => each.getBoundingClientRect().bottom)).toBeLessThan(
          900,
        );
        expect(await audit(page)).toEqual([]);
        await picture(page, `imports-preview-${locale}-${width}`);
      }
      await preview
        .getByRole('button', { name: locale === 'de-DE' ? 'Verwerfen' : 'Discard' })
        .click();
      await preview.waitFor({ state: 'detached' });
    },
  );

  test('adds files to a preview, takes options, and discards it', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'admin');
    await page.goto('/imports');
    await page.getByText('Drop DAT files').waitFor();
    await choose(page, await fileOf('a.dat', dat(['a'], 'Test - A')));
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('1 file', { exact: true }).waitFor();
    await choose(page, await fileOf('b.dat', dat(['b'], 'Test - B')));
    await preview.getByText('2 files').waitFor();
    await preview.getByText('Options').click();
    await preview.getByLabel('Type').fill('films');
    await preview.getByLabel(/Remove releases that no source/).check();
    await preview.getByRole('button', { name: 'Preview again' }).click();
    await expect
      .poll(async () => {
        const filter = { state: 'done', kind: 'import-preview' };
        const [job] = await server.catalog.jobs.list(filter, { limit: 1, before: null });
        return (await server.catalog.jobs.get(job?.id ?? 0)).options;
      })
      .toMatchObject({ system: 'films', prune: true });
    await preview.getByText('2 files').waitFor();
    await preview.getByRole('button', { name: 'Discard' }).click();
    await preview.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Drop DAT files').waitFor();
    expect(await preview.count()).toBe(0);
  });

  test('shows the names in a hostile DAT as plain text', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'admin');
    await page.goto('/imports');
    await page.getByText('Drop DAT files').waitFor();
    const name = '<img src=x onerror=alert(1)>';
    const text = xml([game(name, 'hostile')], '<script>alert(1)</script>');
    await choose(page, await fileOf('hostile.dat', text));
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Examples').click();
    await preview.getByText(name).waitFor();
    await preview.getByRole('button', { name: 'Discard' }).click();
    await preview.waitFor({ state: 'detached' });
  });

  test('requires the role Editor', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user');
    await page.goto('/imports');
    await page.getByText('You need the role Editor').waitFor();
    expect(await page.getByRole('link', { name: 'Imports' }).count()).toBe(0);
  });
});
