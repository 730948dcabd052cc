import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importGames } from '../support/data/dats.ts';
import { testFirstOfEach } from '../support/first-of-each.ts';
import { nintendoImage } from '../support/images/disc-images.ts';
import { audit } from './support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from './support/browser.ts';
import { openStockedServer, type StockedServer } from './support/stocked-server.ts';
import { openPage } from './support/visitors.ts';
import { waitUntilIdle } from './support/wait-until-idle.ts';

let server: StockedServer;
const titles = ['Amber Racer', 'Basalt Racer', 'Cobalt Racer'];

beforeAll(async () => {
  server = await openStockedServer();
  const [root] = server.catalog.libraryRoots;
  const folder = join(root?.path ?? '', 'undecided');
  await mkdir(folder);
  for (const [at, [platform, region]] of [
    ['Sega - Saturn', 'Europe'],
    ['Sega - Dreamcast', 'Japan'],
  ].entries()) {
    const games = titles.map((name, index) => ({
      name,
      region: region ?? '',
      roms: [{ name: `${name}.iso`, size: '9', sha1: `${at}${index}`.padEnd(40, 'a') }],
    }));
    await importGames(server, games, platform);
  }
  for (const name of titles) await writeFile(join(folder, `${name}.bin`), name);
  const revisions = ['Moon Quest (USA)', 'Moon Quest (USA) (Rev 1)', 'Moon Quest (USA) (Disc 2)'];
  const size = `${nintendoImage('GW7E69', '', 'gamecube').length}`;
  const discs = revisions.map((name, index) => ({
    name,
    serial: 'GW7E69',
    roms: [{ name: `${name}.iso`, size, sha1: `${index}`.padEnd(40, 'b') }],
  }));
  discs.push({
    name: 'Sun Quest (USA) (Disc 2)',
    serial: 'GX7E69',
    roms: [{ name: 'dump.iso', size, sha1: 'c'.repeat(40) }],
  });
  await importGames(server, discs, 'Nintendo - GameCube');
  const image = (id: string) => nintendoImage(id, '', 'gamecube', { revision: 1 });
  await writeFile(join(folder, 'moon.iso'), image('GW7E69'));
  await writeFile(join(folder, 'sun.iso'), image('GX7E69'));
  await writeFile(join(folder, 'qq-sheet.cue'), 'a sheet');
  await server.catalog.library.list({ refresh: true });
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

async function openFile(page: Page, name: string): Promise<void> {
  await page.goto(`/library?search=${name}`);
  await page.getByRole('link', { name: new RegExp(`^${name}`) }).click();
  await page.getByRole('heading', { level: 1, name: `${name}` }).waitFor();
}

describeInBrowser('the screen of a library file', () => {
  test('shows the evidence for a match, and why other releases were ruled out', async () => {
    const { page } = await openPage(server, 'user');
    await openFile(page, 'moon.iso');
    await page.getByText('The serial matches Moon Quest (USA)').waitFor();
    await page
      .getByText('The revision on the disc fits Moon Quest (USA) (Rev 1), not Moon Quest (USA).')
      .waitFor();
    await page
      .getByText(
        'The disc number fits Moon Quest (USA) and Moon Quest (USA) (Rev 1), not Moon Quest (USA) (Disc 2).',
      )
      .waitFor();
    expect(await audit(page)).toEqual([]);
    await picture(page, 'library-reasons-1440-light');
  });

  test('shows why all candidates were ruled out, in English and in German', {
    tags: ['full'],
  }, async () => {
    const { page } = await openPage(server, 'user');
    await openFile(page, 'sun.iso');
    await page.getByText('The evidence points at releases, but the file contradicts').waitFor();
    await page.getByText('The disc number rules out Sun Quest (USA) (Disc 2).').waitFor();
    expect(await page.getByText('Nothing in the file matches').count()).toBe(0);
    const german = await openPage(server, 'user', { locale: 'de-DE' });
    await german.page.goto(page.url());
    await german.page
      .getByText('Die Nummer der Disc widerspricht Sun Quest (USA) (Disc 2).')
      .waitFor();
  });

  test('shows the platform of the chosen release', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'editor');
    await openFile(page, 'Amber Racer.bin');
    await page.getByRole('button', { name: 'Choose Amber Racer, Sega - Saturn' }).click();
    await page.getByText('An editor chose this release').waitFor();
    await page.getByText('Sega - Saturn', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo choice' }).click();
    await page.getByText('Several releases match').waitFor();
  });
});

describeInBrowser('the queue of undecided files', () => {
  const offer = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const choose = (page: Page, text: RegExp) => page.getByRole('button', { name: text });

  test('offers to decide similar files by region or platform of a choice, with undo', async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto('/library?state=ambiguous');
    await choose(page, /^Choose Amber Racer Sega - Saturn/).click();
    await offer(page, 'Region Europe: 2 files').waitFor();
    await offer(page, 'Platform Sega - Saturn: 2 files').waitFor();
    await page.getByText('Show these files').click();
    await page.getByRole('link', { name: 'Cobalt Racer.bin' }).first().waitFor();
    expect(await audit(page)).toEqual([]);
    await waitUntilIdle(page);
    await picture(page, 'library-alike-1440-light');
    await offer(page, 'Region Europe: 2 files').click();
    await page.getByText('Region Europe: 2 files decided').waitFor();
    await page.getByText('Nothing to decide').waitFor();
    await page.getByRole('link', { name: /^Undecided 0/ }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: /^Undecided 2/ }).waitFor();
    await choose(page, /^Choose Basalt Racer Sega - Dreamcast/).click();
    await offer(page, 'Region Japan: 1 file').click();
    await page.getByText('Nothing to decide').waitFor();
    await takeBack();
  });

  testFirstOfEach([320, 768])('fits a width of %i px, in German', async (width) => {
    const { page } = await openPage(server, 'editor', { width, locale: 'de-DE' });
    await page.goto('/library?state=ambiguous');
    await choose(page, /^Wählen Amber Racer Sega - Saturn/).click();
    await offer(page, 'Region Europe: 2 Dateien').waitFor();
    await page.getByText('Diese Dateien zeigen').click();
    await waitUntilIdle(page);
    expect(await audit(page)).toEqual([]);
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await picture(page, `library-alike-german-${width}-light`);
    await takeBack();
  });

  async function takeBack(): Promise<void> {
    const { libraryFiles } = server.catalog;
    const filter = { search: 'racer', system: '', state: '' } as const;
    const files = await libraryFiles.list(filter, { limit: 10, offset: 0 });
    const choices = files.map(({ id }) => ({ id, releaseId: null }));
    await libraryFiles.chooseAll(choices, { kind: 'system' });
  }
});

describeInBrowser('a release of several files', () => {
  test('is downloaded as one zip from the menu of the download button', async () => {
    const { libraryFiles } = server.catalog;
    const filter = { search: 'qq-sheet', system: '', state: '' } as const;
    const [sheet] = await libraryFiles.list(filter, { limit: 1, offset: 0 });
    await libraryFiles.choose(sheet?.id ?? 0, server.stocked, { kind: 'system' });
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases/${server.stocked}`);
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const items = page.getByRole('menuitem');
    await items.first().waitFor();
    expect(await items.count()).toBe(2);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /All library files, as a zip/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Quartz Quest (Europe).zip');
    const listing = execFileSync('unzip', ['-l', await download.path()]).toString();
    expect(listing).toMatch(/qq-backup\.iso\s+[\s\S]*qq-sheet\.cue/);
  });
});
