import { afterAll, beforeAll, expect, test } from 'vitest';
import { importGames } from '../../support/data/dats.ts';
import { audit } from '../support/audit.ts';
import { closeBrowser, describeInBrowser, picture } from '../support/browser.ts';
import { saveSet } from '../support/saved-sets.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { come } from '../support/visitors.ts';

let shop: Shop;
let set: number;
beforeAll(async () => {
  shop = await openShop();
  const names = ['Nova Lancer (Europe)', 'Nova Lancer (Japan)', 'Nova Lancer (USA) (Demo)'];
  const games = names.map((name, at) => ({
    name,
    region: /\((\w+)\)/.exec(name)?.[1] ?? '',
    roms: [{ name: 'v.bin', size: '9', crc: '0'.repeat(8), sha1: `${at}`.repeat(40) }],
  }));
  await importGames(shop, games, 'Bandai - Playdia');
  const prefer = { one_per_game: true, regions: ['Europe', 'Japan'], avoid: ['Demo'] };
  const rule = { field: 'search', contains: 'Nova' };
  set = await saveSet(shop, 'user', { name: 'Best <of> all', rule, prefer });
});
afterAll(async () => {
  await closeBrowser();
  await shop?.close();
});

const title = 'Why this version';

describeInBrowser('the reason for the version in a set', () => {
  test('is told for the set from which the release was opened', async () => {
    const { page } = await come(shop, 'user');
    await page.goto(`/releases?set=${set}`);
    await page.getByRole('link', { name: /Nova Lancer/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Nova Lancer (Europe)' }).waitFor();
    const section = page.locator('section', { hasText: title });
    await section.getByText('In the set “Best <of> all”:').waitFor();
    const reasons = (await section.getByRole('listitem').allTextContents()).map((text) =>
      text.replace(/\s+/g, ' ').trim(),
    );
    expect(reasons).toEqual([
      'Nova Lancer (Japan) Europe is preferred',
      'Nova Lancer (USA) (Demo) has a label that the set avoids',
    ]);
    await picture(page, 'why-chosen');
    expect(await audit(page)).toEqual([]);
    await section.getByRole('link', { name: 'Nova Lancer (Japan)' }).click();
    await page.getByRole('heading', { level: 1, name: 'Nova Lancer (Japan)' }).waitFor();
    await section.getByText('Not in the set “Best <of> all”:').waitFor();
    await section.getByText('Europe is preferred').waitFor();
    await section.getByRole('link', { name: 'Nova Lancer (Europe)' }).click();
    await page.getByRole('heading', { level: 1, name: 'Nova Lancer (Europe)' }).waitFor();
  });

  test("is told for the user's own sets, in German, on a narrow screen", async () => {
    const { page } = await come(shop, 'user', { width: 320, locale: 'de-DE' });
    await page.goto(`/releases/${await shop.idOf('Nova Lancer (Japan)')}`);
    await page.getByText('In deinen Auswahlen').click();
    await page.getByText('Nicht in der Auswahl „Best <of> all“:').waitFor();
    await page.getByText('Europe geht vor').waitFor();
    await picture(page, 'why-320');
    expect(await audit(page)).toEqual([]);
  });

  test('is not told for a set that does not exist', async () => {
    const { page } = await come(shop, 'user');
    await page.goto(`/releases/${await shop.idOf('Nova Lancer (Europe)')}?set=999999`);
    await page.locator('section', { hasText: title }).waitFor();
    expect(await page.getByText(/the set “/).count()).toBe(0);
  });
});
