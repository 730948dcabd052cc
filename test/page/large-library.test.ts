/** @module-tag full */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from './support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from './support/browser.ts';
import { addLibraryFiles } from './support/prepared-library.ts';
import { openStockedServer, type StockedServer } from './support/stocked-server.ts';
import { openPage } from './support/visitors.ts';
import { waitUntilIdle } from './support/wait-until-idle.ts';

const total = 100_000;

let server: StockedServer;
beforeAll(async () => {
  server = await openStockedServer();
  await addLibraryFiles(server);
  fill(server);
}, 60_000);
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

/**
 * Inserts copies of the files of the small library into the database, up to `total` files, because
 * scanning that many files would take too long.
 */
function fill({ data }: StockedServer): void {
  const database = new Database(join(data, 'catalog.db'));
  const info = database.pragma('table_info(library_file)') as { name: string }[];
  const columns = info.map(({ name }) => name).filter((name) => name !== 'id');
  const several = (name: string) =>
    name === 'path' || name === 'name' ? `printf('%05d/', value) || ${name}` : name;
  const files = database.prepare('SELECT count(*) FROM library_file').pluck().get();
  database.exec(`
    WITH RECURSIVE number (value) AS (
      SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < ${total / Number(files) - 1}
    )
    INSERT INTO library_file (${columns}) SELECT ${columns.map(several)} FROM number, library_file;
  `);
  database.close();
}

describeInBrowser('a library of 100,000 files', () => {
  test('shows counts of states, reaches its last file, and renders only rows in view', async () => {
    const { page } = await openPage(server, 'editor');
    const requested: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/library?')) requested.push(request.url());
    });
    await page.goto('/library');
    await page.getByRole('link', { name: 'All 100,000' }).waitFor();
    for (const name of ['Matched', 'By name only', 'Undecided', 'Damaged']) {
      await page.getByRole('link', { name: `${name} 20,000` }).waitFor();
    }
    await waitUntilIdle(page);
    expect(requested).toHaveLength(1);
    const table = page.getByRole('table', { name: 'Files' });
    expect(await table.getAttribute('aria-rowcount')).toBe('100001');
    await table.getByRole('link').first().focus();
    await page.keyboard.press('End');
    const last = page.getByRole('row').filter({ has: page.locator(':focus') });
    await expect.poll(() => last.getAttribute('aria-rowindex')).toBe('100001');
    expect(await table.getByRole('row').count()).toBeLessThan(120);
    expect(requested.length).toBeLessThan(5);
    expect(await audit(page)).toEqual([]);
    await picture(page, 'library-large-1440-light');

    await page.getByRole('link', { name: /^Damaged/ }).click();
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('20001');
    await page.getByLabel('Search files').fill('quartz');
    await page.keyboard.press('Enter');
    await page.getByText('No file matches').waitFor();
    await page.getByRole('link', { name: /^Matched/ }).click();
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('20001');
  });
});
