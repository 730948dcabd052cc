import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/process.ts';
import { closeBrowser, describeInBrowser } from './browser.ts';
import { openShop, type Shop } from './shop.ts';
import { come } from './visitors.ts';

const GIB = 1024 ** 3;
let shop: Shop;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  await writeFile(join(root, 'long.iso'), 'long');
  await truncate(join(root, 'long.iso'), 500 * GIB); // sparse: long to hash, nothing on the disk
  shop = await openShop({ 'games-root': root });
});
afterAll(async () => {
  await closeBrowser();
  await shop?.close();
  await rm(root, { recursive: true });
});

describeInBrowser('jobs', () => {
  test('are started, watched in two browsers, stopped, and started again', async () => {
    const { page } = await come(shop, 'editor');
    await page.goto('/');
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.getByText('Nothing is running.').waitFor();
    await page.getByText('No job has ended yet').waitFor();
    await page.getByRole('button', { name: 'Scan the library' }).click();
    await page.getByText('Library scan: started').waitFor();

    const { page: other } = await come(shop, 'admin');
    await other.goto('/jobs');
    for (const each of [page, other]) {
      const job = each.getByRole('listitem', { name: 'Library scan' }).first();
      await job.getByText(/Making checksums · [\d.]+ \wiB of 500 GiB · .+\/s · .+ left/).waitFor();
      await job.getByText('by editor, since').waitFor();
      await job.getByText('long.iso').waitFor();
      const bar = job.getByRole('progressbar', { name: 'Progress: Library scan' });
      expect(await bar.getAttribute('aria-valuenow')).toMatch(/^\d+$/);
    }
    expect(await page.getByRole('button', { name: 'Scan the library' }).isDisabled()).toBe(true);

    await other.getByRole('button', { name: 'Stop: Library scan' }).click();
    for (const each of [page, other]) await each.getByText('Library scan: stopped').waitFor();
    await page.getByText('Stopped', { exact: true }).click();
    await page.getByText('it was stopped').waitFor();

    await page.getByRole('button', { name: 'Start again: Library scan' }).click();
    await page.getByRole('button', { name: 'Stop: Library scan' }).click();
    await page.getByRole('button', { name: 'Stop: Library scan' }).waitFor({ state: 'detached' });
    await until(async () => {
      const running = { state: 'running', kind: '' };
      return (await shop.catalog.jobs.list(running, { limit: 1, before: null })).length === 0;
    }, 20_000);
  });

  test('are asked for each second while one runs, and ten times less while none does', async () => {
    const { page } = await come(shop, 'editor');
    const asked: number[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/jobs?')) asked.push(performance.now());
    });
    await page.goto('/jobs');
    await page.getByText('Nothing is running.').waitFor();
    await page.waitForTimeout(4_000);
    expect(asked.length).toBeLessThan(3);
    const quiet = asked.length;
    await page.getByRole('button', { name: 'Scan the library' }).click();
    await expect.poll(() => asked.length, { timeout: 15_000 }).toBeGreaterThan(quiet + 4);
    await page.getByRole('button', { name: 'Stop: Library scan' }).click();
    await page.getByText('Nothing is running.').waitFor();
  });

  test('start by themselves when an admin says so; editors see when', async () => {
    const { page } = await come(shop, 'admin');
    await page.goto('/jobs');
    await page.getByLabel('Library scan: start by itself').check();
    await page.getByText('Next: ').waitFor();
    await page.getByLabel('Library scan: day').selectOption('Sunday');
    await page.getByLabel('Library scan: time').fill('04:30');
    await page.getByLabel('Library scan: time').blur();
    await expect.poll(async () => (await shop.catalog.schedules.get('scan')).time).toBe('04:30');
    const { page: editor } = await come(shop, 'editor');
    await editor.goto('/jobs');
    await editor.getByText('Sunday, 04:30').waitFor();
    expect(await editor.getByRole('checkbox').count()).toBe(0);
  });

  test('are for editors', async () => {
    const { page } = await come(shop, 'user');
    await page.goto('/');
    await page.getByRole('link', { name: 'Catalogue' }).waitFor();
    expect(await page.getByRole('link', { name: 'Jobs' }).count()).toBe(0);
    await page.goto('/jobs');
    await page.getByText('This needs the role Editor').waitFor();
  });
});
