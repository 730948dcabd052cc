import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { readZip } from '../../support/exports/zip.ts';
import { audit } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from '../support/browser.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { openPage } from '../support/visitors.ts';

const psx = 'Sony - PlayStation';
/** Number of games whose files no device can open. */
const unusable = 23;

let server: TestServer;
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'catalog-roots-'));
  server = await openTestServer({ 'games-root': root });
  const games = [
    { name: 'Zenith Run (Europe)', roms: await owned('zenith.iso', 'Zenith Run (Europe).iso') },
  ];
  for (let at = 0; at < unusable; at += 1) {
    const name = `Zenith Loop ${String(at).padStart(2, '0')} (Japan)`;
    games.push({ name, roms: await owned(`loop-${at}.bin`, `${name}.bin`) });
  }
  games.push({ name: 'Zenith Lost (USA)', roms: [{ name: 'lost.iso', size: '1', sha1: '' }] });
  await importGames(server, games, psx);
  await server.catalog.scanner.scan({
    roots: server.catalog.libraryRoots,
    ...{ hash: true, full: false, forget: false, jobs: 1, retriesWhenBusy: false },
    signal: new AbortController().signal,
    onProgress() {},
  });
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
  await rm(root, { recursive: true });
});

/** Writes a library file. Returns the ROMs of its game: one, with the hash of the file. */
async function owned(file: string, rom: string) {
  const content = `\0${file}`;
  await writeFile(join(root, file), content);
  const sha1 = createHash('sha1').update(content).digest('hex');
  return [{ name: rom, size: `${content.length}`, sha1 }];
}

/** Saves a set of the games above, and opens the dialog that exports it. */
async function openDialog(page: Page, name: string, button = 'Send to …') {
  const data = { name, rule: { field: 'search', contains: 'Zenith' } };
  const response = await page.context().request.post('/api/sets', { data });
  expect(response.status(), await response.text()).toBe(200);
  const { id } = (await response.json()) as { id: number };
  await page.goto(`/releases?set=${id}`);
  await page.getByRole('button', { name: button }).click();
  return page.getByRole('dialog');
}

describeInBrowser('the export of a set for a device', () => {
  test('shows where to unpack it and which files are left out, and is downloaded', async () => {
    const { page } = await openPage(server, 'user');
    const dialog = await openDialog(page, 'My <games>');
    await dialog.getByRole('heading', { name: 'Send “My <games>” to …' }).waitFor();
    await dialog.getByLabel('Device or front end').selectOption('RetroArch');
    await dialog.getByText(/^Unpack into the folder of RetroArch/).waitFor();
    await dialog.getByText('1 release of the set is not in your library.').waitFor();
    await dialog.getByText('1 game', { exact: true }).waitFor();
    await dialog.getByRole('heading', { name: `${unusable} files are left out` }).waitFor();
    const files = dialog.getByRole('listitem');
    expect(await files.count()).toBe(20);
    await files.first().getByText('The device does not open .bin files.').waitFor();
    await dialog.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => files.count()).toBe(unusable);
    expect(await audit(page)).toEqual([]);
    await dialog.getByLabel('Folder of the games').fill('/sd card/roms & more');
    const download = page.waitForEvent('download');
    await dialog.getByRole('link', { name: 'Download' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('My _games_ (retroarch).zip');
    const zip = await readZip(await readFile(await saved.path()));
    const list = JSON.parse(`${zip.get(`playlists/${psx}.lpl`)?.content}`);
    expect(list.items).toHaveLength(1);
    expect(list.base_content_directory).toBe('/sd card/roms & more');
  });

  test('works in German, on a narrow screen, by keyboard', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user', { width: 320, locale: 'de-DE' });
    const dialog = await openDialog(page, 'Meine', 'Senden an …');
    await dialog.getByText('1 Spiel', { exact: true }).waitFor();
    await page.keyboard.press('b'); // the focus is on the choice of the device
    await dialog.getByText(/^Entpacke nach \/userdata\/roms/).waitFor();
    await dialog.getByText('Das Gerät öffnet keine .bin-Dateien.').first().waitFor();
    await picture(page, 'send-to-320');
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  test('shows that the set no longer exists', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'user');
    await page.route('**/api/sets/*/left-out/*', async (route) => {
      const set = /\/api\/sets\/\d+/.exec(route.request().url())?.[0] ?? '';
      await page.context().request.delete(set);
      await route.continue();
    });
    const dialog = await openDialog(page, 'Gone');
    await dialog.getByText('This set no longer exists.').waitFor();
    expect(await dialog.getByRole('link', { name: 'Download' }).count()).toBe(0);
  });
});
