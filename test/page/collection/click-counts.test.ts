/** @module-tag full */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { closeBrowser, describeInBrowser, picture } from '../support/browser.ts';
import { onePixel } from '../support/one-pixel.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { openPage } from '../support/visitors.ts';
import { waitUntilIdle } from '../support/wait-until-idle.ts';

/** Number of files that their names identify, and number of files that match two releases each. */
const recognised = 40;
const undecided = 10;

let server: TestServer;
let root: string;
const source = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'image/png' }).end(onePixel);
});

beforeAll(async () => {
  source.listen(0, '127.0.0.1');
  await once(source, 'listening');
  const { port } = source.address() as AddressInfo;
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  server = await openTestServer({ 'games-root': root, 'cover-source': `http://127.0.0.1:${port}` });
  const hash = (at: number) => at.toString(16).padStart(40, 'd');
  const games = (name: string, count: number, from: number) =>
    Array.from({ length: count }, (_, at) => ({
      name: `${name} ${at} (Europe)`,
      region: 'Europe',
      roms: [{ name: `${name} ${at} (Europe).iso`, size: '9', sha1: hash(from + at) }],
    }));
  await importGames(server, games('Harbour', recognised, 0), 'Sony - PlayStation 2');
  await importGames(server, games('Twin', undecided, 100), 'Sega - Saturn');
  await importGames(server, games('Twin', undecided, 200), 'Sega - Dreamcast');
  const folder = join(root, 'mine');
  await mkdir(folder);
  for (const { name } of games('Harbour', recognised, 0)) {
    await writeFile(join(folder, `${name}.iso`), name);
  }
  for (const { name } of games('Twin', undecided, 0)) {
    await writeFile(join(folder, `${name}.bin`), name);
  }
  await server.catalog.library.list({ refresh: true });
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
  await rm(root, { recursive: true });
  source.close();
});

/** Counts the clicks on all pages of a visit. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    addEventListener(
      'click',
      ({ isTrusted, detail }) => {
        // A label clicks its checkbox; a key press has no detail.
        if (!isTrusted || detail === 0) return;
        sessionStorage.setItem('clicks', `${Number(sessionStorage.getItem('clicks')) + 1}`);
      },
      { capture: true },
    );
  });
  return () => page.evaluate(() => Number(sessionStorage.getItem('clicks')));
}

describeInBrowser('a user with 50 files, after signing in', () => {
  test('sees the owned games without a click', async () => {
    const { page } = await openPage(server, 'user');
    const clicks = await countClicks(page);
    await page.goto('/');
    await page.getByText(`${recognised} releases`).waitFor();
    await page
      .getByRole('link', { name: /^Harbour 0/ })
      .first()
      .waitFor();
    expect(await clicks()).toBe(0);
    await waitUntilIdle(page);
    await picture(page, 'clicks-my-games');
  });

  test('downloads a game with two clicks', async () => {
    const { page } = await openPage(server, 'user');
    const clicks = await countClicks(page);
    await page.goto('/');
    await page
      .getByRole('link', { name: /^Harbour 0/ })
      .first()
      .click();
    const button = page.getByRole('link', { name: /^Download Harbour 0/ }).first();
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toBe('Harbour 0 (Europe).iso');
    expect(await clicks()).toBe(2);
  });

  test('decides ten undecided files with ten clicks, after one that opens their list', async () => {
    const { page } = await openPage(server, 'editor');
    const clicks = await countClicks(page);
    await page.goto('/');
    await page.getByRole('link', { name: /10 undecided files/ }).click();
    await page
      .getByRole('button', { name: /^Choose Twin 0/ })
      .first()
      .waitFor();
    const start = await clicks();
    expect(start).toBe(1);
    for (let at = 0; at < undecided; at++) {
      const choose = page.getByRole('button', {
        name: new RegExp(`^Choose Twin ${at} .*Sega - Saturn`),
      });
      await choose.click();
      // Until the list has moved up, a click misses; it is repeated and counted twice.
      await choose.waitFor({ state: 'detached' });
    }
    await page.getByText('Nothing to decide').waitFor();
    expect((await clicks()) - start).toBe(undecided);
  });

  test('downloads covers of owned games with one click', async () => {
    const { page } = await openPage(server, 'editor');
    const clicks = await countClicks(page);
    await page.goto('/');
    await page.getByRole('button', { name: 'Download covers for what I own' }).click();
    await page.getByText(/^Downloaded \d+ covers? for \d+ releases?\.$/).waitFor();
    await expect.poll(() => page.locator('main img').count()).toBeGreaterThan(10);
    expect(await clicks()).toBe(1);
  });
});
