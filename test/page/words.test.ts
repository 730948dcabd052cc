import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { testFirstOfEach } from '../support/first-of-each.ts';
import { auditWidths } from './support/audit-widths.ts';
import { closeBrowser, describeInBrowser } from './support/browser.ts';
import { addLibraryFiles } from './support/prepared-library.ts';
import { openStockedServer, type StockedServer } from './support/stocked-server.ts';
import { openPage } from './support/visitors.ts';

let server: StockedServer;
beforeAll(async () => {
  const videos = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  await writeFile(join(videos, 'film.iso'), 'a film');
  server = await openStockedServer({ 'videos-root': videos });
  await addLibraryFiles(server);
  await rm(videos, { recursive: true });
  await server.catalog.scanner.scan({
    roots: server.catalog.libraryRoots,
    ...{ hash: false, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

describeInBrowser('texts that the server writes in English', () => {
  testFirstOfEach([
    ['en-GB', 'This folder does not exist.', /This file is|This archive/, 'Technical detail'],
    ['de-DE', 'Diesen Ordner gibt es nicht.', /Diese Datei ist|Dieses Archiv/, 'Technische Angabe'],
  ])(
    'are shown in the language of the page, for folders and files (%s)',
    async (locale, folder, file, detail) => {
      const { page } = await openPage(server, 'editor', { locale });
      await page.goto('/library');
      await page.getByText(folder).waitFor();
      expect(await page.getByText('it does not exist', { exact: true }).count()).toBe(0);
      expect(await auditWidths(page, `library-problem-${locale}`)).toEqual([]);
      await page.goto('/library?state=damaged');
      const link = page.getByRole('table').getByRole('link', { name: 'cut.zip' });
      await link.click();
      await page.getByText(file).waitFor();
      const technical = page.getByText(detail);
      await technical.click();
      await page.locator('code[lang=en]').waitFor();
      expect(await auditWidths(page, `file-problem-${locale}`)).toEqual([]);
    },
  );
});
