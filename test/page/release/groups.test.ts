import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { testFirstOfEach } from '../../support/first-of-each.ts';
import { audit } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from '../support/browser.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { openPage } from '../support/visitors.ts';

const platform = 'Bandai - Playdia';
const names = [
  'Nova Lancer (Europe) (En,De) (Disc 1)',
  'Nova Lancer (Europe) (En,De) (Disc 2)',
  'Nova Lancer (Japan) (Rev 1)',
  'Nova Lancer (USA) (Demo)',
  'Hoshi no Yari (Japan) (Disc 1)',
  'Hoshi no Yari (Japan) (Disc 2)',
  'Hoshi no Yari (Korea)',
];

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
  const roms = (at: number) => [
    { name: 'v.bin', size: '9', crc: '0'.repeat(8), sha1: `${at}`.repeat(40) },
  ];
  await importGames(
    server,
    names.map((name, at) => ({ name, region: /\((\w+)\)/.exec(name)?.[1] ?? '', roms: roms(at) })),
    platform,
  );
  await importGames(server, [{ name: 'Hoshi no Yari (USA)', roms: roms(9) }], 'Sega - Saturn');
});
afterAll(async () => {
  await closeBrowser();
  await server?.close();
});

const sectionOf = (page: Page) => page.locator('section', { hasText: 'Versions of this game' });

/**
 * Returns the names of the releases in a release's group, and the number of releases that an editor
 * moved.
 */
async function groupOf(name: string) {
  const group = await server.catalog.groups.get(await server.idOf(name));
  const releases = group.editions.flatMap(({ discs }) => discs.map(({ release }) => release));
  return { names: releases.map((release) => release.name), edited: group.edited.size };
}

describeInBrowser('the versions of a game', () => {
  test('are shown with their revision, labels and discs', async () => {
    const { page } = await openPage(server, 'user');
    await page.goto(`/releases/${await server.idOf('Nova Lancer (Japan) (Rev 1)')}`);
    const rows = sectionOf(page).getByRole('listitem');
    await rows.first().waitFor();
    const texts = (await rows.allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
    expect(texts).toEqual([
      'Europe Missing Disc 1 Missing Disc 2 En, De',
      'Missing Japan · Rev 1 this release',
      'Missing USA · Demo',
    ]);
    await rows.first().getByRole('link', { name: 'Disc 2' }).click();
    await page.getByRole('heading', { level: 1, name: /Disc 2/ }).waitFor();
    expect(await sectionOf(page).locator('[aria-current]').textContent()).toBe('Disc 2');
  });

  test('are split off by an editor, with undo', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'editor');
    await page.goto(`/releases/${await server.idOf('Nova Lancer (Japan) (Rev 1)')}`);
    const rows = sectionOf(page).getByRole('listitem');
    const split = page.getByRole('button', {
      name: 'This is another game: Nova Lancer (USA) (Demo)',
    });
    await split.click();
    await page.getByText('Nova Lancer (USA) (Demo) is now another game.').waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    expect((await groupOf(names[3] ?? '')).names).toEqual([names[3]]);
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await page.keyboard.press('Control+z');
    await expect.poll(() => rows.count()).toBe(3);
    expect(await groupOf(names[3] ?? '')).toEqual({ names: names.slice(0, 4), edited: 0 });
  });

  testFirstOfEach([
    [names[4] ?? '', names.slice(4, 6), 'Hoshi no Yari · Japan'],
    [names[6] ?? '', names.slice(6), 'Hoshi no Yari · Korea'],
  ])(
    'are extended by an editor with a release and all its discs, with undo (%s)',
    async (name, moved, label) => {
      const { page } = await openPage(server, 'editor');
      await page.goto(`/releases/${await server.idOf('Nova Lancer (Japan) (Rev 1)')}`);
      await page.getByRole('button', { name: 'Add a release to this game' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(`Choose a release of ${platform}.`).waitFor();
      await page.keyboard.type(name);
      await dialog.getByRole('button', { name: `Choose ${name}` }).click();
      const rows = sectionOf(page).getByRole('listitem');
      await rows.filter({ hasText: label }).waitFor();
      expect((await groupOf(names[0] ?? '')).names.sort()).toEqual(
        [...names.slice(0, 4), ...moved].sort(),
      );
      await picture(page, 'group-joined');
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => rows.count()).toBe(3);
      expect(await groupOf(names[0] ?? '')).toEqual({ names: names.slice(0, 4), edited: 0 });
      expect(await groupOf(names[4] ?? '')).toEqual({ names: names.slice(4), edited: 0 });
    },
  );

  test('are extended only with releases of the same platform', { tags: ['full'] }, async () => {
    const { page } = await openPage(server, 'editor', { width: 360 });
    await page.goto(`/releases/${await server.idOf('Nova Lancer (Japan) (Rev 1)')}`);
    await page.getByRole('button', { name: 'Add a release to this game' }).click();
    const dialog = page.getByRole('dialog');
    await page.keyboard.type('Hoshi');
    const offered = dialog.getByRole('listitem').getByRole('link');
    await offered.first().waitFor();
    expect((await offered.allTextContents()).sort()).toEqual(names.slice(4).sort());
    await picture(page, 'group-join-360');
    expect(await audit(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await picture(page, 'group-360');
    expect(await audit(page)).toEqual([]);
  });
});
